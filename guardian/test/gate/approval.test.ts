import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  APPROVAL_STATES,
  type ApprovalRecord,
  type ApprovalState,
  approvalAt,
  approveRequest,
  denyRequest,
  parseApproval,
  pendingApproval,
  useApproval,
} from '../../src/index.js'
import { effectDigest, stateEffect } from '../../src/gate/effect-statement.js'
import { grantFor, HOST, identity, NOW, OWNER, request } from './stage.js'

const parties = { approvers: [OWNER.did], audience: HOST }
const effect = stateEffect('effect-1', request, identity)
const digest = effectDigest(effect)
const pending = pendingApproval({
  effect,
  effect_digest: digest,
  asked_at: NOW,
  expires_at: NOW + 300,
  rules: ['the-rule'],
})
const inState = (state: ApprovalState): ApprovalRecord => ({ ...pending, state, grant: grantFor(digest) })
const states = Object.keys(APPROVAL_STATES) as ApprovalState[]

describe('an approval', () => {
  test.each(states)('that is %s goes only where the table says', (state) => {
    const record = inState(state)
    const may = (next: ApprovalState): boolean => (APPROVAL_STATES[state] as readonly string[]).includes(next)
    expect(approveRequest(record, grantFor(digest), parties, NOW).ok).toBe(may('approved'))
    expect(denyRequest(record, NOW).ok).toBe(may('denied'))
    expect(useApproval(record, parties, NOW).ok).toBe(may('used'))
  })

  test('UAR-13: is over in the second of its expiry, approved or not', () => {
    for (const state of ['pending', 'approved'] as const) {
      expect(approvalAt(inState(state), NOW + 299).state).toBe(state)
      expect(approvalAt(inState(state), NOW + 300).state).toBe('expired')
    }
    expect(useApproval(inState('approved'), parties, NOW + 300)).toMatchObject({ code: 'approval_expired' })
    expect(approveRequest(pending, grantFor(digest), parties, NOW + 300)).toMatchObject({
      code: 'approval_expired',
    })
  })

  test('UAR-13: is over by a clock that cannot be read', () => {
    expect(approvalAt(pending, Number.NaN).state).toBe('expired')
  })

  test('UAR-14: does not stand on a record that only says so', () => {
    expect(useApproval({ ...inState('approved'), grant: null }, parties, NOW)).toMatchObject({
      code: 'no_grant',
    })
    const unsigned = { ...grantFor(digest), jws: 'eyJhbGciOiJFZERTQSJ9..AAAA' }
    expect(useApproval({ ...inState('approved'), grant: unsigned }, parties, NOW).ok).toBe(false)
  })

  test('UAR-14: is not given where what is shown is not what is bound', () => {
    const shown = { ...pending, effect: { ...effect, arguments: { to: 'bob@example.org' } } }
    expect(approveRequest(shown, grantFor(digest), parties, NOW)).toMatchObject({ code: 'effect_changed' })
  })

  test('UAR-14: of an effect that nobody asked for is none', () => {
    const nobody = stateEffect('effect-1', request, undefined)
    const record = { ...pending, effect: nobody, effect_digest: effectDigest(nobody) }
    const grant = grantFor(record.effect_digest)
    expect(approveRequest(record, grant, parties, NOW)).toMatchObject({ code: 'wrong_holder' })
  })
})

describe('a kept approval', () => {
  test('is read back as it was written', () => {
    for (const state of states) expect(parseApproval(inState(state))).toEqual(inState(state))
  })

  test.each(Object.keys(pending))('is refused without %s', (member) => {
    const { [member]: _, ...rest } = Object.fromEntries(Object.entries(pending))
    expect(() => parseApproval(rest)).toThrow(expect.objectContaining({ code: 'object_malformed' }))
  })

  test.each([
    { more: 1 },
    { state: 'allowed' },
    { state: 'toString' },
    { effect_digest: 'a'.repeat(64) },
    { effect: { ...effect, purpose: 'other' } },
    { asked_at: -1 },
    { expires_at: 1.5 },
    { grant: [] },
  ])('is refused with %j', (change) => {
    expect(() => parseApproval({ ...pending, ...change })).toThrow(
      expect.objectContaining({ code: 'object_malformed' }),
    )
  })

  test('throws nothing but protocol errors, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => parseApproval(value as never)).toThrow(
          expect.objectContaining({ name: 'ProtocolError' }),
        )
      }),
    )
  })
})
