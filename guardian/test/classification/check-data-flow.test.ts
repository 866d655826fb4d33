import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkDataFlow,
  CLASSIFICATIONS,
  CLOSED_DATA_POLICY,
  type DataPolicy,
  isWithin,
} from '../../src/index.js'
import { dataPolicy, engines } from './policies.js'

const codeOf = (policy: DataPolicy, label: string, engine: string) => {
  const flow = checkDataFlow(policy, { label, engine })
  return flow.ok ? 'ok' : flow.code
}
const table = (policy: DataPolicy) =>
  CLASSIFICATIONS.map((label) => engines.map(({ id }) => codeOf(policy, label, id)))

describe('A2A-28: label by engine', () => {
  test('PUBLIC and INTERNAL go anywhere, CONFIDENTIAL stays here or in the EU, SECRET here and nowhere else', () => {
    const no = 'label_not_for_engine'
    expect(table(dataPolicy())).toEqual([
      ['ok', 'ok', 'ok', 'ok', 'ok'],
      ['ok', 'ok', 'ok', 'ok', 'ok'],
      ['ok', 'ok', 'ok', no, no],
      ['ok', no, no, no, no],
    ])
  })

  test.each(['', 'public', 'CONFIDENTAL', 'TOP_SECRET', 'PUBLIC ', '__proto__', 'constructor'])(
    'the label %j is refused, not taken for another',
    (label) => {
      expect(codeOf(dataPolicy(), label, 'cel')).toBe('unknown_label')
    },
  )

  test('a stricter label never goes where a laxer one may not', () => {
    const label = fc.constantFrom(...CLASSIFICATIONS)
    const engine = fc.constantFrom(...engines.map(({ id }) => id))
    const residency = fc.record({
      data_residency: fc.constantFrom('any', 'eu', 'local'),
      preset: fc.constantFrom(null, 'EU_PRODUCTION'),
    })
    fc.assert(
      fc.property(label, label, engine, residency, (one, other, id, where) => {
        const policy = dataPolicy(where)
        return !isWithin(one, other) || codeOf(policy, other, id) !== 'ok' || codeOf(policy, one, id) === 'ok'
      }),
    )
  })
})

describe('A2A-27: engines and places', () => {
  test.each(['', 'CEL', 'openai', '__proto__', 'toString'])('the engine %j is refused', (engine) => {
    expect(codeOf(dataPolicy(), 'PUBLIC', engine)).toBe('unknown_engine')
  })

  test('an engine that is not allowed is refused, whatever it could have', () => {
    expect(codeOf(dataPolicy({}, { allowed_engines: ['eu'] }), 'PUBLIC', 'cel')).toBe('engine_not_allowed')
    expect(codeOf(dataPolicy({}, { allowed_engines: [] }), 'PUBLIC', 'cel')).toBe('engine_not_allowed')
  })

  test('an engine that is forbidden is refused', () => {
    const policy = dataPolicy({}, { allowed_engines: ['cel'], forbid_engines: ['us'] })
    expect(codeOf(policy, 'PUBLIC', 'us')).toBe('engine_forbidden')
  })

  test.each([
    ['any', ['ok', 'ok', 'ok', 'ok', 'ok']],
    ['eu', ['ok', 'ok', 'ok', 'engine_not_resident', 'engine_not_resident']],
    ['local', ['ok', 'ok', 'engine_not_resident', 'engine_not_resident', 'engine_not_resident']],
  ])('under residency %s even PUBLIC data goes to no engine elsewhere', (data_residency, expected) => {
    expect(table(dataPolicy({ data_residency }))[0]).toEqual(expected)
  })

  test('a policy that says nothing permits nothing', () => {
    for (const label of CLASSIFICATIONS)
      for (const { id } of engines) expect(codeOf(CLOSED_DATA_POLICY, label, id)).toBe('unknown_engine')
  })
})

describe('A2A-30: EU_PRODUCTION', () => {
  const preset = 'EU_PRODUCTION'

  test('refuses every engine outside the EU, also one that the rest of the policy allows', () => {
    expect(table(dataPolicy({ preset, data_residency: 'any' }))[0]).toEqual([
      ...['ok', 'ok', 'ok'],
      ...['engine_not_resident', 'engine_not_resident'],
    ])
  })

  test('only tightens: whatever it permits is permitted without it', () => {
    const [data_residency, policy] = [fc.constantFrom('any', 'eu', 'local'), dataPolicy]
    const pair = fc.tuple(
      fc.constantFrom(...CLASSIFICATIONS),
      fc.constantFrom(...engines.map(({ id }) => id)),
    )
    fc.assert(
      fc.property(data_residency, pair, (where, [label, engine]) => {
        const tight = codeOf(policy({ preset, data_residency: where }), label, engine)
        return tight !== 'ok' || codeOf(policy({ data_residency: where }), label, engine) === 'ok'
      }),
    )
  })
})
