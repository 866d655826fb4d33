import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex, utf8 } from '../src/bytes.js'
import { hash, labelledBytes, labelledDigest, labelledSha512, sha256, sha512 } from '../src/digest.js'
import { codeOf } from './code-of.js'

describe('digests', () => {
  it('hash is the lower-case hex SHA-256 of the canonical JSON', () => {
    expect(hash({ b: 1, a: [] })).toBe(createHash('sha256').update('{"a":[],"b":1}').digest('hex'))
  })

  it('labelled bytes are label, a zero octet, canonical JSON', () => {
    expect(labelledBytes('l', { b: 1, a: 'é' })).toEqual(utf8('l\0{"a":"é","b":1}'))
  })

  it('labelled digests are SHA-256 and SHA-512 of the labelled bytes', () => {
    const bytes = labelledBytes('label', [1])
    expect(toHex(labelledDigest('label', [1]))).toBe(toHex(sha256(bytes)))
    expect(toHex(labelledSha512('label', [1]))).toBe(toHex(sha512(bytes)))
    expect([labelledDigest('label', [1]).length, labelledSha512('label', [1]).length]).toEqual([32, 64])
  })

  it('another label or another value gives another digest', () => {
    const digests = [
      labelledDigest('a', 1),
      labelledDigest('b', 1),
      labelledDigest('a', 11),
      labelledDigest('a1', 1),
      labelledDigest('a', '1'),
    ].map(toHex)
    expect(new Set(digests).size).toBe(digests.length)
  })

  it('refuses a value without canonical JSON', () => {
    expect(codeOf(() => hash(NaN))).toBe('json_malformed')
    expect(codeOf(() => labelledDigest('a', '\ud800'))).toBe('json_malformed')
  })

  it('returns plain arrays that own no more memory than they show', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => {
        const digest = sha256(data)
        return Object.getPrototypeOf(digest) === Uint8Array.prototype && digest.buffer.byteLength === 32
      }),
    )
  })
})
