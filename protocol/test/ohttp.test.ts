import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex, utf8 } from '../src/bytes.js'
import { AEAD_AES_128_GCM, AEAD_CHACHA20_POLY1305 } from '../src/hpke-suite.js'
import { gatewayKeyFromBytes, generateGatewayKey, openRequest, startRequest } from '../src/ohttp.js'
import { codeOf } from './code-of.js'

const gateway = generateGatewayKey(7)
const AEADS = [AEAD_AES_128_GCM, AEAD_CHACHA20_POLY1305] as const

describe.each(AEADS)('an exchange with AEAD %i', (aead) => {
  it('brings request and response across', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 500 }),
        fc.uint8Array({ maxLength: 500 }),
        (question, answer) => {
          const client = startRequest(gateway.config, { aead })
          const opened = openRequest(gateway, client.seal(question))
          expect([toHex(opened.bhttp), opened.keyId, opened.aead]).toEqual([toHex(question), 7, aead])
          expect(toHex(opened.enc)).toBe(toHex(client.enc))
          expect(toHex(client.open(opened.sealResponse(answer)))).toBe(toHex(answer))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('adds 55 bytes to a request; and nonce and tag to a response', () => {
    const client = startRequest(gateway.config, { aead })
    const message = client.seal(utf8('question'))
    expect(message).toHaveLength(8 + 55)
    expect(openRequest(gateway, message).sealResponse(utf8('answer'))).toHaveLength(
      6 + (aead === AEAD_AES_128_GCM ? 32 : 48),
    )
  })

  it('a request with any octet changed is refused', () => {
    const message = startRequest(gateway.config, { aead }).seal(utf8('question'))
    for (let at = 0; at < message.length; at++) {
      const changed = message.map((octet, i) => (i === at ? octet ^ 0x41 : octet))
      // The high bit of a public key is ignored by X25519, but not by the key schedule.
      expect(codeOf(() => openRequest(gateway, changed))).toBe(at < 7 ? 'ohttp_key_unknown' : 'hpke_failed')
    }
    const highBit = message.map((octet, i) => (i === 38 ? octet ^ 0x80 : octet))
    expect(codeOf(() => openRequest(gateway, highBit))).toBe('hpke_failed')
  })

  it('a request of any shorter length is refused', () => {
    const message = startRequest(gateway.config, { aead }).seal(utf8('q'))
    for (let length = 0; length < message.length; length++)
      expect(codeOf(() => openRequest(gateway, message.subarray(0, length)))).toBe(
        length < 55 ? 'ohttp_malformed' : 'hpke_failed',
      )
  })

  it('a response with any octet changed, cut or of another exchange is refused', () => {
    const client = startRequest(gateway.config, { aead })
    const opened = openRequest(gateway, client.seal(utf8('q')))
    const response = opened.sealResponse(utf8('a'))
    for (let at = 0; at < response.length; at++) {
      expect(codeOf(() => client.open(response.map((octet, i) => (i === at ? octet ^ 1 : octet))))).toBe(
        'hpke_failed',
      )
      expect(codeOf(() => client.open(response.subarray(0, at)))).toBe(
        at < response.length - 1 ? 'ohttp_malformed' : 'hpke_failed',
      )
    }
    expect(codeOf(() => startRequest(gateway.config, { aead }).open(response))).toBe('hpke_failed')
  })

  it('a response nonce of another size is refused', () => {
    const opened = openRequest(gateway, startRequest(gateway.config, { aead }).seal(utf8('q')))
    expect(codeOf(() => opened.sealResponse(utf8('a'), new Uint8Array(12)))).toBe('ohttp_malformed')
  })

  it('two responses to one request are under different nonces', () => {
    const opened = openRequest(gateway, startRequest(gateway.config, { aead }).seal(utf8('q')))
    expect(toHex(opened.sealResponse(utf8('a')))).not.toBe(toHex(opened.sealResponse(utf8('a'))))
  })
})

describe('startRequest', () => {
  it('takes the first suite of the configuration that we speak', () => {
    const suites = [
      { kdfId: 2, aeadId: 1 },
      { kdfId: 1, aeadId: 2 },
      { kdfId: 1, aeadId: 3 },
      { kdfId: 1, aeadId: 1 },
    ]
    const message = startRequest({ ...gateway.config, suites }).seal(utf8('q'))
    expect(toHex(message.subarray(0, 7))).toBe('07002000010003')
  })

  it('makes a new enc each time', () => {
    expect(toHex(startRequest(gateway.config).enc)).not.toBe(toHex(startRequest(gateway.config).enc))
  })

  it('seals one request, never a second', () => {
    const client = startRequest(gateway.config)
    client.seal(utf8('q'))
    expect(codeOf(() => client.seal(utf8('q')))).toBe('hpke_failed')
  })

  it.each([
    ['no suite in common', { ...gateway.config, suites: [{ kdfId: 1, aeadId: 2 }] }],
    ['another KEM', { ...gateway.config, kemId: 0x0010 }],
  ])('%s is refused as ohttp_key_unknown', (_, config) => {
    expect(codeOf(() => startRequest(config))).toBe('ohttp_key_unknown')
  })

  it('an AEAD that the configuration lacks is refused as ohttp_key_unknown', () => {
    const config = { ...gateway.config, suites: [{ kdfId: 1, aeadId: 1 }] }
    expect(codeOf(() => startRequest(config, { aead: AEAD_CHACHA20_POLY1305 }))).toBe('ohttp_key_unknown')
  })

  it('a key of low order is refused as hpke_failed', () => {
    expect(codeOf(() => startRequest({ ...gateway.config, publicKey: new Uint8Array(32) }))).toBe(
      'hpke_failed',
    )
  })
})

describe('openRequest', () => {
  it('a request under the same key id and another key is refused as hpke_failed', () => {
    const message = startRequest(generateGatewayKey(7).config).seal(utf8('q'))
    expect(codeOf(() => openRequest(gateway, message))).toBe('hpke_failed')
  })

  it('an AEAD that is not in the own configuration is refused as ohttp_key_unknown', () => {
    const narrow = { ...gateway, config: { ...gateway.config, suites: [{ kdfId: 1, aeadId: 1 }] } }
    const message = startRequest(gateway.config, { aead: AEAD_CHACHA20_POLY1305 }).seal(utf8('q'))
    expect(codeOf(() => openRequest(narrow, message))).toBe('ohttp_key_unknown')
  })

  it('any bytes are refused under a closed set of codes', () => {
    const header = fc
      .constantFrom('07002000010001', '07002000010003')
      .map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))
    const near = fc
      .tuple(header, fc.uint8Array({ maxLength: 80 }))
      .map(([head, rest]) => Uint8Array.of(...head, ...rest))
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), near), (bytes) =>
        ['ohttp_malformed', 'ohttp_key_unknown', 'hpke_failed'].includes(
          codeOf(() => openRequest(gateway, bytes)),
        ),
      ),
    )
  })
})

describe('gateway keys', () => {
  it.each([-1, 256, 0.5, NaN])('the key id %d is refused as key_refused', (keyId) => {
    expect(codeOf(() => generateGatewayKey(keyId))).toBe('key_refused')
  })

  it('a private key of another size is refused as key_refused', () => {
    expect(codeOf(() => gatewayKeyFromBytes(1, new Uint8Array(31)))).toBe('key_refused')
  })

  it('the private key cannot be read', () => {
    expect(Object.keys(gateway.privateKey).sort()).toEqual(['agree', 'publicKey'])
  })
})
