import type { JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileOutputSchema, guardDraft, parseGuardianPolicy } from '../src/index.js'
import { policyObject } from './policy/policy-object.js'
import { arbitrarySchema, arbitraryValue } from './schema/arbitrary-schema.js'
import { oracle } from './schema/oracle.js'

const policy = parseGuardianPolicy(policyObject)
const shapeOf = (schema: JsonValue) => {
  const compiled = compileOutputSchema(schema)
  if (!compiled.ok) throw new Error(compiled.code)
  return compiled.shape
}
const shape = shapeOf({
  type: 'object',
  properties: {
    signal: { enum: ['YES', 'NO', 'TIER1'] },
    level: { type: 'integer', minimum: 0, maximum: 3 },
  },
  required: ['signal', 'level'],
  additionalProperties: false,
})

describe('a draft', () => {
  test('that passes comes out in canonical order, whatever order it was written in', () => {
    const one = guardDraft({ shape, policy, draft: { signal: 'YES', level: 0 } })
    const other = guardDraft({ shape, policy, draft: { level: -0, signal: 'YES' } })
    expect(JSON.stringify(one)).toBe(JSON.stringify(other))
    expect(one).toEqual({ ok: true, output: { level: 0, signal: 'YES' }, advisories: [] })
  })

  test('is a fresh value: what the evaluator still holds cannot change it', () => {
    const draft = { signal: 'YES', level: 1 }
    const decision = guardDraft({ shape, policy, draft })
    draft.signal = 'SECRET'
    expect(decision).toMatchObject({ output: { signal: 'YES' } })
  })

  test.each<[string, JsonValue, string]>([
    ['is not listed', { signal: 'MAYBE', level: 0 }, 'value_not_listed'],
    ['says more', { signal: 'YES', level: 0, note: 'x' }, 'member_unknown'],
    ['says less', { signal: 'YES' }, 'member_missing'],
    ['is out of range', { signal: 'YES', level: 4 }, 'integer_out_of_range'],
    ['is a text', 'YES', 'type_mismatch'],
    ['is null', null, 'type_mismatch'],
    ['is allowed by the schema and refused by the policy', { signal: 'TIER1', level: 0 }, 'output_refused'],
  ])('that %s never leaves', (_, draft, code) => {
    expect(guardDraft({ shape, policy, draft })).toEqual({ ok: false, abort_class: 'OUTPUT_REFUSED', code })
  })

  test('that leaves is always admitted by the schema, and unchanged', () => {
    const lenient = parseGuardianPolicy({ ...policyObject, rules: [] })
    fc.assert(
      fc.property(arbitrarySchema, arbitraryValue, (schema, draft) => {
        const compiled = compileOutputSchema(schema)
        fc.pre(compiled.ok && !JSON.stringify(schema).includes('__proto__'))
        const decision = guardDraft({ shape: shapeOf(schema), policy: lenient, draft })
        expect(decision.ok).toBe(oracle(schema)(draft))
        // JSON has one zero.
        if (decision.ok) expect(decision.output).toEqual(JSON.parse(JSON.stringify(draft)))
      }),
      { numRuns: 200 },
    )
  })
})
