import type { JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { type ActGrant, type ApprovalQuestion, issueGrant, judgeGrant } from '../../src/index.js'
import {
  act,
  actQuestion,
  consent,
  consentQuestion,
  helper,
  holder,
  host,
  NOW,
  type Person,
  stranger,
  subject,
} from './people.js'
import { hash } from '@parley/protocol'

const codeOf = (judged: ReturnType<typeof judgeGrant>) =>
  judged.ok ? 'ok' : `${judged.code} ${judged.pointer}`

describe('A2A-24: a consent', () => {
  test('permits the one it names what it names, from its first second to the one before its last', () => {
    for (const now of [NOW, NOW + 3599])
      expect(codeOf(judgeGrant([consent()], consentQuestion(), now))).toBe('ok')
  })

  test.each([
    ['of another subject', { subject: stranger.did }, 'wrong_issuer /0/iss'],
    ['for another holder', { holder: stranger.did }, 'wrong_holder /0/sub'],
    ['at another place', { audience: stranger.did }, 'wrong_audience /0/aud'],
    ['for another purpose', { purpose: 'billing2' }, 'wrong_purpose /0/purpose'],
    ['for a purpose in other letters', { purpose: 'Billing' }, 'wrong_purpose /0/purpose'],
  ])('asked %s is refused', (_, change, expected) => {
    expect(codeOf(judgeGrant([consent()], consentQuestion(change), NOW))).toBe(expected)
  })

  test('given by another in the subject’s place is refused', () => {
    expect(codeOf(judgeGrant([consent({}, stranger)], consentQuestion(), NOW))).toBe('wrong_issuer /0/iss')
  })

  test('is refused before it begins, from its end on, and at no time at all', () => {
    const at = (now: number) => codeOf(judgeGrant([consent()], consentQuestion(), now))
    expect(at(NOW - 1)).toBe('not_yet_valid /0/iat')
    expect(at(NOW + 3600)).toBe('expired /0/exp')
    expect(at(Number.NaN)).toBe('not_yet_valid /0/iat')
  })

  test('for one contract fits that contract alone', () => {
    const bound = consent({ contract_hash: 'ab'.repeat(32) })
    const asked = (contract_hash: string | null) =>
      codeOf(judgeGrant([bound], consentQuestion({ contract_hash }), NOW))
    expect(asked('ab'.repeat(32))).toBe('ok')
    expect(asked('cd'.repeat(32))).toBe('wrong_contract /0/contract_hash')
    expect(asked(null)).toBe('wrong_contract /0/contract_hash')
  })

  test('cannot be handed on', () => {
    const chain = [consent(), consent({ iss: holder.did, sub: helper.did }, holder)]
    expect(codeOf(judgeGrant(chain, consentQuestion({ holder: helper.did }), NOW))).toBe(
      'chain_broken /1/typ',
    )
  })

  test.each<[string, JsonValue, string]>([
    ['that is no grant', 'yes', 'grant_malformed /0'],
    ['with a member more', { ...consent(), note: 1 }, 'grant_malformed /0'],
    ['whose purpose was changed', { ...consent(), purpose: 'ads' }, 'signature_invalid /0'],
    ['that is a token', act(), 'wrong_type /0/typ'],
  ])('%s is refused', (_, value, expected) => {
    expect(codeOf(judgeGrant([value], consentQuestion(), NOW))).toBe(expected)
  })

  test('that is not there is refused', () => {
    expect(codeOf(judgeGrant([], consentQuestion(), NOW))).toBe('no_grant ')
  })
})

describe('UAR-14: an approval', () => {
  const digest = 'ab'.repeat(32)
  const approval = issueGrant(
    {
      typ: 'approval',
      iss: subject.did,
      sub: holder.did,
      aud: host.did,
      action_digest: digest,
      iat: NOW,
      exp: NOW + 900,
      max_uses: 1,
      jti: 'approval-1',
    },
    subject.key,
  )
  const asked = (change: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
    typ: 'approval',
    approvers: [stranger.did, subject.did],
    holder: holder.did,
    audience: host.did,
    action_digest: digest,
    ...change,
  })

  test('permits exactly the effect whose digest it names', () => {
    expect(codeOf(judgeGrant([approval], asked(), NOW))).toBe('ok')
  })

  test.each([
    ['of another effect', { action_digest: 'ac'.repeat(32) }, 'wrong_action /0/action_digest'],
    ['by somebody who may not approve', { approvers: [stranger.did] }, 'wrong_issuer /0/iss'],
    ['where nobody may approve', { approvers: [] }, 'wrong_issuer /0/iss'],
    ['for another agent', { holder: helper.did }, 'wrong_holder /0/sub'],
    ['at another host', { audience: helper.did }, 'wrong_audience /0/aud'],
  ])('%s is refused', (_, change, expected) => {
    expect(codeOf(judgeGrant([approval], asked(change), NOW))).toBe(expected)
  })
})

describe('UAR-27: a token', () => {
  const root = act()
  /** What the holder hands on to the helper. */
  const part = (change: object = {}, parent: ActGrant = root, by: Person = holder, to: Person = helper) =>
    act(
      {
        scope: ['relay:session:join'],
        iat: NOW + 10,
        exp: NOW + 600,
        jti: 'act-2',
        constraints: { max_depth: 1 },
        prf: hash(parent),
        ...change,
      },
      by,
      to,
    )
  const judge = (chain: readonly JsonValue[], change = {}, now = NOW + 20) =>
    codeOf(judgeGrant(chain, actQuestion({ holder: helper.did, ...change }), now))

  test('handed on permits the part, to the one it was handed to', () => {
    expect(judge([root, part()])).toBe('ok')
  })

  test('handed on twice permits the part of the part', () => {
    const middle = part()
    const last = part({ jti: 'act-3', prf: hash(middle), constraints: {} }, middle, helper, stranger)
    expect(judge([root, middle, last], { holder: stranger.did })).toBe('ok')
    const further = part({ jti: 'act-4', prf: hash(last), exp: NOW + 500 }, last, stranger, holder)
    expect(judge([root, middle, last, further], { holder: holder.did })).toBe(
      'depth_amplified /3/constraints/max_depth',
    )
  })

  test.each<[string, object, string]>([
    ['a scope more', { scope: ['relay:session:join', 'relay:admin:join'] }, 'scope_amplified /1/scope'],
    ['a wider scope', { scope: ['relay:*:*'] }, 'scope_amplified /1/scope'],
    ['a later end', { exp: NOW + 901 }, 'expiry_amplified /1/exp'],
    ['an earlier beginning', { iat: NOW - 1 }, 'expiry_amplified /1/iat'],
    ['as many delegations', { constraints: { max_depth: 2 } }, 'depth_amplified /1/constraints/max_depth'],
    ['another place', { aud: stranger.did }, 'chain_broken /1/aud'],
    ['another parent', { prf: hash('x') }, 'chain_broken /1/prf'],
    ['no parent', { prf: undefined }, 'chain_broken /1/prf'],
    [
      'all of its parent',
      { scope: root.scope, iat: NOW, exp: NOW + 900, constraints: { max_depth: 2 } },
      'not_strict_subset /1',
    ],
  ])('with %s is refused', (_, change, expected) => {
    expect(judge([root, part(change)])).toBe(expected)
  })

  test.each<[string, object, object]>([
    ['contract', { contract_hash: 'ab'.repeat(32) }, { contract_hash: 'cd'.repeat(32) }],
    ['contract', { contract_hash: 'ab'.repeat(32) }, {}],
    ['purpose', { purpose: 'billing' }, { purpose: 'ads' }],
    ['purpose', { purpose: 'billing' }, {}],
    ['count', { max_uses: 3 }, { max_uses: 4 }],
    ['count', { max_uses: 3 }, {}],
  ])('that loosens its parent’s %s is refused', (_, outer, inner) => {
    const parent = act({ constraints: { ...outer, max_depth: 2 } })
    const child = part({ constraints: { ...inner, max_depth: 1 }, prf: hash(parent) })
    expect(judge([parent, child])).toBe('constraint_amplified /1/constraints')
  })

  test('that does not say it may be handed on may not', () => {
    const parent = act({ constraints: undefined })
    expect(judge([parent, part({ prf: hash(parent), constraints: undefined })])).toBe(
      'depth_amplified /1/constraints/max_depth',
    )
  })

  test('handed on by somebody who does not hold it is refused', () => {
    expect(judge([root, part({}, root, stranger)])).toBe('chain_broken /1/iss')
  })

  test.each([
    ['from a root that is not pinned', { roots: [stranger.did] }, 'wrong_issuer /0/iss'],
    ['from a key in the middle', { roots: [holder.did] }, 'wrong_issuer /0/iss'],
    ['where no root is pinned', { roots: [] }, 'wrong_issuer /0/iss'],
    ['by the one who handed it on', { holder: holder.did }, 'wrong_holder /1/sub'],
    ['for what was not handed on', { scope: 'tools:search:invoke' }, 'not_in_scope /1/scope'],
    ['for everything', { scope: 'relay:session:*' }, 'not_in_scope /1/scope'],
  ])('%s is refused', (_, change, expected) => {
    expect(judge([root, part()], change)).toBe(expected)
  })

  test.each([
    ['purpose', { purpose: 'billing' }, { purpose: 'ads' }, 'wrong_purpose /0/constraints/purpose'],
    ['purpose', { purpose: 'billing' }, {}, 'wrong_purpose /0/constraints/purpose'],
    ['contract', { contract_hash: 'ab'.repeat(32) }, {}, 'wrong_contract /0/constraints/contract_hash'],
  ])('bound to a %s does not permit what is not of it', (_, constraints, change, expected) => {
    const asked = actQuestion(change)
    expect(codeOf(judgeGrant([act({ constraints })], asked, NOW))).toBe(expected)
  })

  test('waits for the time it names', () => {
    const late = act({ nbf: NOW + 100 })
    expect(codeOf(judgeGrant([late], actQuestion(), NOW + 99))).toBe('not_yet_valid /0/iat')
    expect(codeOf(judgeGrant([late], actQuestion(), NOW + 100))).toBe('ok')
  })

  test('whose part is presented without it is refused, and one that is out of order too', () => {
    expect(judge([part()])).toBe('chain_broken /0/prf')
    expect(judge([part(), root])).toBe('chain_broken /0/prf')
    expect(judge([root, root, part()])).toBe('chain_broken /1/prf')
  })

  test('of more than 17 links is refused before a signature is looked at', () => {
    expect(judge(new Array<JsonValue>(18).fill(null))).toBe('chain_too_long ')
  })

  test('under a consent, or a consent under a token, is refused', () => {
    expect(judge([consent(), part()])).toBe('wrong_type /0/typ')
    expect(judge([root, consent()])).toBe('wrong_type /1/typ')
  })
})
