import { expect } from 'vitest'
import { fromBase64, toBase64 } from '../../src/base64.js'
import { fromHex, toHex, utf8 } from '../../src/bytes.js'
import { formatDid, parseDid } from '../../src/did.js'
import { parseEd25519PublicKey, signingKeyFromSeed, verifyEd25519 } from '../../src/ed25519.js'
import type { HttpRequest } from '../../src/http-message.js'
import { signatureBase } from '../../src/signature-base.js'
import { codeOf } from '../code-of.js'
import type { Consumer } from './vector.js'

const did: Consumer = ({ text }) => {
  const rows = JSON.parse(text('dids.json')) as { seed: string; public_key: string; did: string }[]
  for (const row of rows) {
    const { publicKey } = signingKeyFromSeed(fromHex(row.seed))
    expect(toHex(publicKey)).toBe(row.public_key)
    expect(formatDid({ namespace: 'self', kind: 'agent', publicKey })).toBe(row.did)
    expect(toHex(parseDid(row.did).publicKey)).toBe(row.public_key)
  }
}

const didRefused: Consumer = ({ text }) => {
  const rows = JSON.parse(text('dids.json')) as { did: string; code: string; why: string }[]
  for (const row of rows) expect(codeOf(() => parseDid(row.did)), row.why).toBe(row.code)
}

const ed25519: Consumer = ({ text }) => {
  const rows = JSON.parse(text('vectors.json')) as Record<'seed' | 'public_key' | 'message' | 'signature', string>[]
  for (const row of rows) {
    const key = signingKeyFromSeed(fromHex(row.seed))
    const message = fromHex(row.message)
    expect(toHex(key.publicKey)).toBe(row.public_key)
    expect(toHex(key.sign(message))).toBe(row.signature)
    expect(verifyEd25519(parseEd25519PublicKey(fromHex(row.public_key)), message, fromHex(row.signature))).toBe(true)
  }
}

const keysRefused: Consumer = ({ text, expected }) => {
  for (const key of text('keys.txt').trim().split('\n'))
    expect(codeOf(() => parseEd25519PublicKey(fromHex(key))), key).toBe(expected['code'])
}

const httpSignature: Consumer = ({ text, bytes, expected }) => {
  const request = { ...JSON.parse(text('request.json')), content: bytes('content.bin') } as HttpRequest
  const pem = text('key.pem').split('\n')[1] ?? ''
  const key = signingKeyFromSeed(fromBase64(pem).slice(-32))
  const base = signatureBase(request, expected['components'] as string[], String(expected['parameters']))
  expect(base).toBe(text('base.txt'))
  expect(toBase64(key.sign(utf8(base)))).toBe(expected['signature'])
}

export const keyConsumers: Record<string, Consumer> = {
  did,
  'did-refused': didRefused,
  ed25519,
  'ed25519-keys-refused': keysRefused,
  'http-signature': httpSignature,
}
