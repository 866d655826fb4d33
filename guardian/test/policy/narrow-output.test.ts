import { type JsonObject, type JsonValue, rolesOf } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { parseGuardianPolicy } from '../../src/index.js'
import { narrowOutput } from '../../src/policy/narrow-output.js'
import { policyObject } from './policy-object.js'

const narrowing = (...rules: readonly JsonObject[]) =>
  parseGuardianPolicy({
    ...policyObject,
    rules: rules.map((rule, nth) => ({
      rule_id: `n${nth}`,
      type: 'recipient_narrowing',
      classification: 'GATE',
      ...rule,
    })),
  })
const output = { band: 'LOW', reason: 'FEE', next: { step: 'CALL' } }
const narrowed = (policy: ReturnType<typeof narrowing>, value: JsonValue = output, participants = 2) =>
  narrowOutput(policy, value, rolesOf(participants))

describe('narrowing', () => {
  test('keeps members from one role, and leaves the rest as it is', () => {
    const policy = narrowing({ role: 'responder', omit: ['reason', 'next'] })
    expect(narrowed(policy)).toEqual([{ role: 'responder', output: { band: 'LOW' } }])
  })

  test('has a row for each role that is named, in role order', () => {
    const policy = narrowing(
      { role: 'participant_3', omit: ['band'] },
      { role: 'initiator', omit: ['reason', 'next'] },
    )
    expect(narrowed(policy, output, 3)).toEqual([
      { role: 'initiator', output: { band: 'LOW' } },
      { role: 'participant_3', output: { reason: 'FEE', next: { step: 'CALL' } } },
    ])
  })

  test('adds up where several rules name a role', () => {
    const policy = narrowing(
      { role: 'initiator', omit: ['band'] },
      { role: 'initiator', omit: ['next', 'band'] },
    )
    expect(narrowed(policy)).toEqual([{ role: 'initiator', output: { reason: 'FEE' } }])
  })

  test('leaves an empty object where everything is kept back', () => {
    const policy = narrowing({ role: 'initiator', omit: ['band', 'next', 'reason'] })
    expect(narrowed(policy)).toEqual([{ role: 'initiator', output: {} }])
  })

  test('has its row also where the member is absent, so that the row tells nothing', () => {
    const policy = narrowing({ role: 'initiator', omit: ['extra'] })
    expect(narrowed(policy)).toEqual([{ role: 'initiator', output }])
    expect(narrowed(policy, 'LOW')).toEqual([{ role: 'initiator', output: 'LOW' }])
  })

  test('reaches members of the top level only', () => {
    const policy = narrowing({ role: 'initiator', omit: ['step'] })
    expect(narrowed(policy)).toEqual([{ role: 'initiator', output }])
  })

  test('has no row for a role that the session has not', () => {
    expect(narrowed(narrowing({ role: 'participant_3', omit: ['band'] }))).toEqual([])
  })

  test('has no row without a rule', () => {
    expect(narrowed(narrowing())).toEqual([])
  })

  test('takes a member called __proto__ for a member', () => {
    const strange = JSON.parse('{"__proto__":1,"band":"LOW"}') as JsonObject
    const [row] = narrowed(narrowing({ role: 'initiator', omit: ['band'] }), strange)
    expect(JSON.stringify(row?.output)).toBe('{"__proto__":1}')
  })
})
