import { type JsonObject, parseContract } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { parseGuardianPolicy } from '../../src/index.js'
import { checkPolicyFit } from '../../src/admission/policy-fit.js'
import { policyObject } from '../policy/policy-object.js'
import { free, list, listed, object, outputOf, union } from '../policy/shapes.js'

const contractOf = (participants: readonly string[]) =>
  parseContract({
    purpose_code: 'TEST',
    output_schema_id: 'test',
    output_schema: {},
    participants: [...participants],
    prompt_template_hash: null,
    entropy_budget_bits: null,
    timing_class: null,
    metadata: null,
    model_profile_id: null,
  })
const two = contractOf(['a', 'b'])
const policyOf = (...rules: readonly JsonObject[]) => parseGuardianPolicy({ ...policyObject, rules })
const canary = { rule_id: 'c', type: 'canary_reject', min_characters: 4, classification: 'GATE' }
const narrowing = (role: string, ...omit: readonly string[]) => ({
  rule_id: role,
  type: 'recipient_narrowing',
  role,
  omit: [...omit],
  classification: 'GATE',
})

describe('canary rules', () => {
  test('read outputs of up to 4096 bytes', () => {
    expect(checkPolicyFit(policyOf(canary), outputOf(free, 4096), two)).toBeNull()
    expect(checkPolicyFit(policyOf(canary), outputOf(list([], free), 4097), two)).toEqual({
      ok: false,
      code: 'output_too_large_for_canaries',
      pointer: '/output_schema',
      detail: '4097 bytes over 4096',
    })
  })

  test('have nothing to read in a longer one that is listed', () => {
    expect(checkPolicyFit(policyOf(canary), outputOf(listed('L'), 9999), two)).toBeNull()
  })

  test('that are not there bound nothing', () => {
    expect(checkPolicyFit(policyOf(), outputOf(free, 9999), two)).toBeNull()
  })
})

describe('a narrowing rule', () => {
  const root = object({ a: listed('L'), b: free })
  test.each<[string, JsonObject]>([
    ['omits members that the output may have', narrowing('responder', 'a', 'b')],
    ['is for a role that the contract has not', narrowing('participant_3', 'zz')],
  ])('fits where it %s', (_, rule) => {
    expect(checkPolicyFit(policyOf(rule), outputOf(root), two)).toBeNull()
  })

  test('fits where one branch has the member', () => {
    const either = union(object({ a: free }), object({ b: free }))
    expect(checkPolicyFit(policyOf(narrowing('initiator', 'b')), outputOf(either), two)).toBeNull()
  })

  test.each([
    ['has another name', root],
    ['is no object', listed('L')],
    ['is in no branch', union(listed('L'), object({ a: free }))],
    ['is only deeper inside', object({ a: object({ detail: free }) })],
  ])('is refused where the member %s', (_, shape) => {
    expect(checkPolicyFit(policyOf(narrowing('initiator', 'detail')), outputOf(shape), two)).toEqual({
      ok: false,
      code: 'narrowing_unmatched',
      pointer: '/output_schema',
      detail: 'detail',
    })
  })

  test('is held for a third participant, too', () => {
    const three = contractOf(['a', 'b', 'c'])
    expect(checkPolicyFit(policyOf(narrowing('participant_3', 'zz')), outputOf(root), three)).toMatchObject({
      code: 'narrowing_unmatched',
    })
  })
})
