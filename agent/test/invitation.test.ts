import { contractHash, type JsonObject, type JsonValue, ProtocolError, type Role } from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AgentError, generateIdentity, type Invitation, parseInvitation } from '../src/index.js'
import { seatFor } from '../src/invitation.js'
import { contract } from './double/terms.js'

const GOOD: JsonObject = {
  version: 'parley-invitation-v1',
  relay: 'http://127.0.0.1:8080',
  session_id: 'ab'.repeat(32),
  contract_hash: contractHash(contract),
  contract,
  seats: [generateIdentity().did, null],
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
  ['of nobody', { ...GOOD, seats: [null, null] }, 'invitation_refused'],
  ['of somebody without a key', { ...GOOD, seats: ['did:web:example', null] }, 'did_malformed'],
  ['to nobody', { ...GOOD, seats: [generateIdentity().did] }, 'invitation_refused'],
  [
    'to more than the contract has',
    { ...GOOD, seats: [generateIdentity().did, null, null] },
    'invitation_refused',
  ],
  ['to a file', { ...GOOD, relay: 'file:///etc/passwd' }, 'url_malformed'],
  ['that is a list', [GOOD], 'invitation_refused'],
  ['that is nothing', null, 'invitation_refused'],
])('an invitation %s is refused', (_, value, code) => {
  expect(() => parseInvitation(value)).toThrow(expect.objectContaining({ code }))
})

const [own, other] = [generateIdentity().did, generateIdentity().did]
const of = (...seats: (string | null)[]): Invitation => ({ ...parseInvitation(GOOD), seats })

test.each<[string, Invitation, Role | null, Role]>([
  ['the one that it is named for', of(other, own, null), null, 'responder'],
  [
    'the one open seat',
    of(other, 'did:oas:self:agent:z6MkiaMbhXHNA4eJVCCj8dbzKzTgYDKf6crKgHVHid1F1WCT', null),
    null,
    'participant_3',
  ],
  ['the one that it asks for of several', of(other, null, null), 'participant_3', 'participant_3'],
])('whoever joins takes %s', (_, invitation, wanted, role) => {
  expect(seatFor(own, invitation, wanted)).toBe(role)
})

test.each<[string, Invitation, Role | null]>([
  ['no seat is its own', of(other, other), null],
  ['several are open and it asks for none', of(other, null, null), null],
  ['it asks for another than its own', of(other, own, null), 'participant_3'],
  ['it asks for one that there is not', of(other, null), 'participant_8'],
])('whoever joins is refused where %s', (_, invitation, wanted) => {
  expect(() => seatFor(own, invitation, wanted)).toThrow(
    expect.objectContaining({ code: 'invitation_refused' }),
  )
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
