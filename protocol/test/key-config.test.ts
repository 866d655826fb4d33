import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeKeyConfigs, type KeyConfig, parseKeyConfigs } from '../src/key-config.js'
import { codeOf } from './code-of.js'

const u16 = fc.nat(0xffff)
const config: fc.Arbitrary<KeyConfig> = fc.record({
  keyId: fc.nat(255),
  kemId: fc.constant(0x0020),
  publicKey: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  suites: fc.array(fc.record({ kdfId: u16, aeadId: u16 }), { minLength: 1, maxLength: 6 }),
})
const configs = fc.uniqueArray(config, { minLength: 1, maxLength: 4, selector: ({ keyId }) => keyId })
const one: KeyConfig = {
  keyId: 1,
  kemId: 0x0020,
  publicKey: new Uint8Array(32),
  suites: [{ kdfId: 1, aeadId: 1 }],
}

describe('key configurations', () => {
  it('round-trip', () => {
    fc.assert(
      fc.property(configs, (list) => {
        expect(parseKeyConfigs(encodeKeyConfigs(list))).toEqual(list)
      }),
    )
  })

  it('any bytes are refused as ohttp_malformed or read as what they encode', () => {
    const near = configs.chain((list) => {
      const bytes = encodeKeyConfigs(list)
      return fc
        .tuple(fc.nat(bytes.length - 1), fc.nat(255))
        .map(([at, octet]) => bytes.map((old, i) => (i === at ? octet : old)))
    })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), near), (bytes) => {
        const code = codeOf(() => {
          expect(encodeKeyConfigs(parseKeyConfigs(bytes))).toEqual(bytes)
        })
        expect(['accepted', 'ohttp_malformed']).toContain(code)
      }),
      { numRuns: 500 },
    )
  })

  it('every cut is refused as ohttp_malformed', () => {
    const bytes = encodeKeyConfigs([one, { ...one, keyId: 2 }])
    const whole = encodeKeyConfigs([one]).length
    for (let length = 0; length < bytes.length; length++)
      if (length !== whole)
        expect(codeOf(() => parseKeyConfigs(bytes.subarray(0, length)))).toBe('ohttp_malformed')
  })

  it.each([
    ['no configuration', []],
    ['a key id twice', [one, one]],
    ['another KEM', [{ ...one, kemId: 0x0010 }]],
    ['a short key', [{ ...one, publicKey: new Uint8Array(31) }]],
    ['no suite', [{ ...one, suites: [] }]],
  ])('%s is not encoded', (_, list) => {
    expect(codeOf(() => encodeKeyConfigs(list))).toBe('ohttp_malformed')
  })

  it('the key is a copy', () => {
    const bytes = encodeKeyConfigs([one])
    const [parsed] = parseKeyConfigs(bytes)
    bytes.fill(9)
    expect(parsed?.publicKey).toEqual(one.publicKey)
  })
})
