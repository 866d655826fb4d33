import fc from 'fast-check'
import { canonicalize, parseJson, type JsonObject, type JsonValue, ProtocolError } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { GRANT_LIFE, issueGrant, parseGrant, type UnsignedGrant, verifyGrant } from '../../src/index.js'
import { act, consent, holder, host, NOW, stranger, subject } from './people.js'

const approval = (change: object = {}) =>
  issueGrant(
    present({
      typ: 'approval',
      iss: subject.did,
      sub: holder.did,
      aud: host.did,
      action_digest: 'ab'.repeat(32),
      iat: NOW,
      exp: NOW + 60,
      max_uses: 1,
      jti: 'approval-1',
      ...change,
    }),
    subject.key,
  )
const present = (terms: object) =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined)) as UnsignedGrant
const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error
const unsigned = expect.objectContaining({ code: 'signature_invalid' }) as Error

const GRANTS = [
  ['a consent', consent],
  ['an approval', approval],
  ['a token', act],
] as const

describe.each(GRANTS)('%s', (_, make) => {
  test('is read back as it was issued', () => {
    const grant = make()
    expect(verifyGrant(parseJson(canonicalize(grant)))).toEqual(grant)
  })

  test.each(['typ', 'iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'jws'])('without %s is malformed', (member) => {
    const { [member]: _left, ...rest } = make() as JsonObject
    expect(() => parseGrant(rest)).toThrow(malformed)
  })

  test('with a member that it does not know is malformed', () => {
    expect(() => parseGrant({ ...make(), note: 'x' })).toThrow(malformed)
  })

  test.each([
    ['typ', 'act2'],
    ['iss', 'did:web:example.com'],
    ['sub', ''],
    ['aud', null],
    ['iat', NOW + 0.5],
    ['exp', String(NOW + 60)],
    ['jti', 'with space'],
    ['jti', 'x'.repeat(65)],
    ['jws', 7],
  ])('whose %s is %j is malformed', (member, value) => {
    expect(() => parseGrant({ ...make(), [member]: value })).toThrow(malformed)
  })

  test('is nobody else’s word: one changed member breaks the signature', () => {
    expect(() => verifyGrant({ ...make(), jti: 'other' })).toThrow(unsigned)
    expect(() => verifyGrant({ ...make(), aud: stranger.did })).toThrow(unsigned)
    expect(() => verifyGrant({ ...make(), iss: stranger.did })).toThrow(unsigned)
  })

  test('signed by another key than its issuer’s is not issued', () => {
    const { jws: _, ...terms } = make()
    expect(() => issueGrant(terms, stranger.key)).toThrow(unsigned)
  })

  test('may live as long as its type and not a second longer, nor shorter', () => {
    const { typ } = make()
    const { least, most } = GRANT_LIFE[typ]
    for (const life of [least, most]) expect(make({ exp: NOW + life }).exp).toBe(NOW + life)
    for (const life of [least - 1, most + 1, 0, -1])
      expect(() => make({ exp: NOW + life })).toThrow(malformed)
  })

  test('has one spelling of its signature', () => {
    const grant = make()
    for (const jws of [
      `${grant.jws}=`,
      grant.jws.replace('..', '.'),
      grant.jws.replace('..', '.e30.'),
      `eyJhbGciOiJub25lIn0..${grant.jws.split('..')[1] ?? ''}`,
      `${grant.jws.slice(0, -1)}${grant.jws.endsWith('A') ? 'B' : 'A'}`,
      '',
    ])
      expect(() => verifyGrant({ ...grant, jws })).toThrow(unsigned)
  })
})

test.each([
  ['purpose', undefined],
  ['purpose', ''],
  ['purpose', 'two words'],
  ['max_uses', undefined],
  ['max_uses', 0],
  ['max_uses', 1_000_001],
  ['contract_hash', 'AB'.repeat(32)],
  ['scope', ['a:b:c']],
  ['action_digest', 'ab'.repeat(32)],
])('a consent whose %s is %j is malformed', (member, value) => {
  expect(() => consent({ [member]: value })).toThrow(malformed)
})

test.each([
  ['max_uses', 2],
  ['action_digest', undefined],
  ['action_digest', 'ab'.repeat(31)],
  ['purpose', 'billing'],
])('an approval whose %s is %j is malformed', (member, value) => {
  expect(() => approval({ [member]: value })).toThrow(malformed)
})

test.each([
  ['scope', []],
  ['scope', ['a:b']],
  ['scope', ['a:b:c', 'a:b:c']],
  ['scope', ['a:b*:c']],
  ['scope', ['!!a:b:c']],
  ['cnf', undefined],
  ['cnf', { kid: `${stranger.did}#key-1` }],
  ['cnf', { kid: `${holder.did}#key-2` }],
  ['nbf', NOW - 1],
  ['nbf', NOW + 900],
  ['constraints', { max_depth: 17 }],
  ['constraints', { max_depth: -1 }],
  ['constraints', { origin: 'x' }],
  ['prf', 'x'],
  ['max_uses', 1],
])('a token whose %s is %j is malformed', (member, value) => {
  expect(() => act({ [member]: value })).toThrow(malformed)
})

test('whatever is read as a grant, nothing but a ProtocolError is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(act())), (value, member) => {
      for (const read of [value, { ...act(), [member]: value }, { ...consent(), [member]: value }])
        try {
          verifyGrant(read as JsonValue)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
    }),
  )
})
