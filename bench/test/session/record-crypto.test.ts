import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { generateGatewayKey, generateSigningKey, sha256, startRequest, verifyEd25519 } from '@parley/protocol'
import { countText, recordCrypto } from '../../src/session/record-crypto.js'

const KEY = randomBytes(16)
const NONCE = randomBytes(12)

it('records the calls of modules that were loaded before, with what they work on, and then no more', async () => {
  const { publicKey, sign } = generateSigningKey()
  const message = new Uint8Array(32)
  const original = verify
  const operations = await recordCrypto(() => {
    expect(verifyEd25519(publicKey, message, sign(message))).toBe(true)
    sha256(new Uint8Array(2048))
    return Promise.resolve()
  })
  expect(operations.map(({ kind }) => kind).sort()).toEqual(['hash', 'key import', 'sign', 'verify'])
  expect(operations.find(({ kind }) => kind === 'hash')?.bytes).toBe(2048)
  expect(verify).toBe(original)
  sha256(new Uint8Array(1))
  expect(operations).toHaveLength(4)
})

it('counts the ephemeral key of a request beside the agreement that it is drawn for', async () => {
  const { config } = generateGatewayKey(1)
  const operations = await recordCrypto(() => {
    startRequest(config)
    return Promise.resolve()
  })
  const kinds = operations.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'key generation')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'X25519')).toHaveLength(1)
})

it('does the same operations again, though the caller has overwritten its buffers since', async () => {
  const operations = await recordCrypto(() => {
    const cipher = createCipheriv('aes-128-gcm', KEY, NONCE)
    cipher.setAAD(KEY)
    const sealed = Buffer.concat([cipher.update('some text'), cipher.final(), cipher.getAuthTag()])
    const decipher = createDecipheriv('aes-128-gcm', KEY, NONCE)
    decipher.setAAD(KEY).setAuthTag(sealed.subarray(-16))
    expect(Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString()).toBe(
      'some text',
    )
    sealed.fill(0)
    createHmac('sha256', KEY).update(KEY).update(NONCE).digest()
    hash('sha256', KEY)
    return Promise.resolve()
  })
  expect(operations.map(({ kind }) => kind)).toEqual(['AEAD seal', 'AEAD open', 'HMAC', 'hash'])
  // A decipher that is given other bytes throws.
  for (const { again } of operations) expect(again).not.toThrow()
})

it('leaves node:crypto as it was where what runs fails', async () => {
  const original = verify
  await expect(recordCrypto(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(verify).toBe(original)
})

it('counts by kind for one of several sessions', () => {
  const again = (): void => undefined
  const operations = [
    { kind: 'hash', bytes: 4096, again },
    { kind: 'hash', bytes: 4096, again },
    { kind: 'sign', bytes: 32, again },
  ]
  expect(countText(operations, 2)).toBe('1.0 hash (4 KiB), 0.5 sign')
})
