import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBase58 } from '../src/base58.js'
import { fromHex, toHex } from '../src/bytes.js'
import { DID_KINDS, formatDid, parseDid } from '../src/did.js'
import { signingKeyFromSeed } from '../src/ed25519.js'
import { codeOf } from './code-of.js'

const { publicKey } = signingKeyFromSeed(new Uint8Array(32))
const did = formatDid({ namespace: 'self', kind: 'agent', publicKey })

describe('did:oas', () => {
  it('round-trips every namespace and kind', () => {
    const namespace = fc.string({
      unit: fc.constantFrom(...Array.from('abcxyz0189-')),
      minLength: 1,
      maxLength: 63,
    })
    const parts = fc.record({ namespace, kind: fc.constantFrom(...DID_KINDS) })
    fc.assert(
      fc.property(parts, (part) => {
        const parsed = parseDid(formatDid({ ...part, publicKey }))
        expect(parsed).toEqual({ ...part, publicKey })
      }),
    )
  })

  it('accepts only texts that format back to themselves', () => {
    const piece = fc.constantFrom(
      'did',
      ':',
      'oas',
      'self',
      'agent',
      'instance',
      did,
      did.slice(15),
      'z',
      '1',
      '\n',
      ' ',
    )
    const nearlyDid = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc
        .tuple(fc.nat(did.length), fc.string({ maxLength: 2 }))
        .map(([at, text]) => did.slice(0, at) + text + did.slice(at + 1)),
    )
    fc.assert(
      fc.property(nearlyDid, (text) => {
        const code = codeOf(() => {
          expect(formatDid(parseDid(text))).toBe(text)
        })
        expect(['accepted', 'did_malformed', 'key_refused']).toContain(code)
      }),
      { numRuns: 1000 },
    )
  })

  it.each(['', 'Self', 'a_b', 'a'.repeat(64), 'a:b', 'self\n'])(
    'the namespace %j is refused on formatting',
    (namespace) => {
      expect(codeOf(() => formatDid({ namespace, kind: 'agent', publicKey }))).toBe('did_malformed')
    },
  )

  it('a key of small order is refused as key_refused', () => {
    const identifier = toBase58(fromHex(`ed01${'00'.repeat(32)}`))
    expect(codeOf(() => parseDid(`did:oas:self:agent:z${identifier}`))).toBe('key_refused')
  })

  it('the key is a copy', () => {
    const first = parseDid(did).publicKey
    first.fill(0)
    expect(toHex(parseDid(did).publicKey)).toBe(toHex(publicKey))
  })
})
