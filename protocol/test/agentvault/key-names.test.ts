import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { agentVaultKeyFingerprint, agentVaultKeyId, toHex } from '../../src/index.js'
import { KEY } from './examples.js'

describe('names of a key', () => {
  it('the id is over its hex digits, the fingerprint over its octets', () => {
    const { publicKey } = KEY
    const overText = createHash('sha256').update(toHex(publicKey)).digest('hex')
    const overOctets = createHash('sha256').update(publicKey).digest('hex')
    expect(agentVaultKeyId(publicKey)).toBe(`kid-${overText}`)
    expect(agentVaultKeyFingerprint(publicKey)).toBe(overOctets)
  })
})
