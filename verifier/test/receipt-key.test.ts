import { createPublicKey } from 'node:crypto'
import { ProtocolError, toBase64url, toHex } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReceiptKey } from '../src/index.js'
import { KEYS } from './minted-bundle.js'

const key = KEYS.receipt.publicKey
const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64url(key) }
const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
const codeOf = (text: string): string => {
  try {
    parseReceiptKey(text)
    return 'accepted'
  } catch (error) {
    if (error instanceof ProtocolError) return error.code
    throw error
  }
}

describe('parseReceiptKey', () => {
  it('reads base64url as in a keyset, with white space around it', () => {
    expect(parseReceiptKey(` ${toBase64url(key)}\n`)).toEqual(key)
  })

  it('reads hex as AgentVault spells a key', () => {
    expect(parseReceiptKey(`${toHex(key)}\n`)).toEqual(key)
  })

  it('reads a PEM public key as OpenSSL writes it', () => {
    expect(parseReceiptKey(pem)).toEqual(key)
  })

  it.each([
    ['nothing', '', 'encoding_malformed'],
    ['upper-case hex', Buffer.from(key).toString('hex').toUpperCase(), 'encoding_malformed'],
    ['31 bytes', toBase64url(key.slice(1)), 'encoding_malformed'],
    ['a private key', pem.replaceAll('PUBLIC', 'PRIVATE'), 'encoding_malformed'],
    ['two keys', `${pem}${pem}`, 'encoding_malformed'],
    ['an X25519 key', pem.replace('MCowBQYDK2Vw', 'MCowBQYDK2Vu'), 'encoding_malformed'],
    ['a key of small order', toBase64url(Uint8Array.of(1, ...new Uint8Array(31))), 'key_refused'],
  ])('refuses %s', (_, text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  it('never throws outside ProtocolError', () => {
    fc.assert(fc.property(fc.string(), (text) => codeOf(text) !== 'accepted'))
  })
})
