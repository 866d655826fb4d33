import fc from 'fast-check'
import { type JsonValue, ProtocolError } from '@parley/protocol'
import { expect, test } from 'vitest'
import { issueRevocation, verifyGrant, verifyRevocation } from '../../src/index.js'
import { consent, NOW, stranger, subject } from './people.js'

const revocation = issueRevocation(consent(), NOW, subject.key)
const unsigned = expect.objectContaining({ code: 'signature_invalid' }) as Error
const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error

test('a revocation names its grant and is verified under the key that gave it', () => {
  expect(verifyRevocation(revocation)).toMatchObject({ iss: subject.did, jti: 'consent-1', exp: NOW + 3600 })
})

test('nobody revokes another’s grant', () => {
  expect(() => issueRevocation(consent(), NOW, stranger.key)).toThrow(unsigned)
  expect(() => verifyRevocation({ ...revocation, iss: stranger.did })).toThrow(unsigned)
  expect(() => verifyRevocation({ ...revocation, jti: 'other' })).toThrow(unsigned)
})

test('a grant is no revocation, and a revocation no grant', () => {
  expect(() => verifyRevocation(consent())).toThrow(malformed)
  expect(() => verifyGrant(revocation)).toThrow(malformed)
  expect(() => verifyRevocation({ ...revocation, reason: 'x' })).toThrow(malformed)
})

test('whatever is read as a revocation, nothing but a ProtocolError is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(revocation)), (value, member) => {
      for (const read of [value, { ...revocation, [member]: value }])
        try {
          verifyRevocation(read as JsonValue)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
    }),
  )
})
