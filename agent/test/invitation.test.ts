import { contractHash, type JsonObject, type JsonValue, ProtocolError } from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AgentError, generateIdentity, parseInvitation } from '../src/index.js'
import { contract } from './double/terms.js'

const GOOD: JsonObject = {
  version: 'parley-invitation-v1',
  relay: 'http://127.0.0.1:8080',
  session_id: 'ab'.repeat(32),
  contract_hash: contractHash(contract),
  contract,
  initiator: generateIdentity().did,
  lane: 'software',
}

test('an invitation is read as it was given', () => {
  expect(parseInvitation(GOOD)).toEqual(GOOD)
})

test.each<[string, JsonValue, string]>([
  [
    'with a changed contract',
    { ...GOOD, contract: { ...contract, purpose_code: 'OTHER' } },
    'invitation_refused',
  ],
  ['with another contract hash', { ...GOOD, contract_hash: '00'.repeat(32) }, 'invitation_refused'],
  ['with an unknown member', { ...GOOD, extra: 1 }, 'invitation_refused'],
  ['of another version', { ...GOOD, version: 'parley-invitation-v2' }, 'invitation_refused'],
  ['of another lane', { ...GOOD, lane: 'fast' }, 'invitation_refused'],
  ['with a path for a session', { ...GOOD, session_id: '../../identity' }, 'invitation_refused'],
  [
    'with an unknown member in its contract',
    { ...GOOD, contract: { ...contract, extra: 1 } },
    'object_malformed',
  ],
  ['of nobody', { ...GOOD, initiator: 'did:web:example' }, 'did_malformed'],
  ['to a file', { ...GOOD, relay: 'file:///etc/passwd' }, 'url_malformed'],
  ['that is a list', [GOOD], 'invitation_refused'],
  ['that is nothing', null, 'invitation_refused'],
])('an invitation %s is refused', (_, value, code) => {
  expect(() => parseInvitation(value)).toThrow(expect.objectContaining({ code }))
})

test('no value makes the reader throw outside our classes', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...Object.keys(GOOD)), fc.jsonValue())
      .map(([name, any]) => ({ ...GOOD, [name]: any })),
  )
  fc.assert(
    fc.property(value, (each) => {
      try {
        parseInvitation(each as JsonValue)
      } catch (error) {
        expect(error instanceof AgentError || error instanceof ProtocolError).toBe(true)
      }
    }),
  )
})
