import type { JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileOutputSchema, guardDraft, guardOutput, parseGuardianPolicy } from '../src/index.js'
import { policyObject, ruleObject } from './policy/policy-object.js'
import { free, object, outputOf } from './policy/shapes.js'
import { arbitrarySchema, arbitraryValue } from './schema/arbitrary-schema.js'
import { oracle } from './schema/oracle.js'

const policy = parseGuardianPolicy(policyObject)
const shapeOf = (schema: JsonValue) => {
  const compiled = compileOutputSchema(schema)
  if (!compiled.ok) throw new Error(compiled.code)
  return compiled.shape
}
const inputs = [null, null]
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
    const one = guardDraft({ shape, policy, inputs, draft: { signal: 'YES', level: 0 } })
    const other = guardDraft({ shape, policy, inputs, draft: { level: -0, signal: 'YES' } })
    expect(JSON.stringify(one)).toBe(JSON.stringify(other))
    expect(one).toEqual({ ok: true, output: { level: 0, signal: 'YES' }, findings: [], narrowed: [] })
  })

  test('is a fresh value: what the evaluator still holds cannot change it', () => {
    const draft = { signal: 'YES', level: 1 }
    const decision = guardDraft({ shape, policy, inputs, draft })
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
    expect(guardDraft({ shape, policy, inputs, draft })).toEqual({
      ok: false,
      abort_class: 'OUTPUT_REFUSED',
      code,
    })
  })

  test('that leaves is always admitted by the schema, and unchanged', () => {
    const lenient = parseGuardianPolicy({ ...policyObject, rules: [] })
    fc.assert(
      fc.property(arbitrarySchema, arbitraryValue, (schema, draft) => {
        const compiled = compileOutputSchema(schema)
        fc.pre(compiled.ok && !JSON.stringify(schema).includes('__proto__'))
        const decision = guardDraft({ shape: compiled.shape, policy: lenient, inputs, draft })
        expect(decision.ok).toBe(oracle(schema)(draft))
        // JSON has one zero.
        if (decision.ok) expect(decision.output).toEqual(JSON.parse(JSON.stringify(draft)))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a decision', () => {
  const rules = [
    { ...ruleObject, rule_id: 'digits', classification: 'ADVISORY' },
    { ...ruleObject, rule_id: 'currency', value: 'Sc', classification: 'ADVISORY' },
    {
      rule_id: 'narrow',
      type: 'recipient_narrowing',
      role: 'responder',
      omit: ['level'],
      classification: 'GATE',
    },
    {
      rule_id: 'third',
      type: 'recipient_narrowing',
      role: 'participant_3',
      omit: ['signal'],
      classification: 'GATE',
    },
    { rule_id: 'canary', type: 'canary_reject', min_characters: 4, classification: 'GATE' },
  ]
  const full = parseGuardianPolicy({ ...policyObject, rules })
  const draft = { level: 0, signal: 'TIER1' }

  test('says what the advisory rules found, and what each narrowed role gets', () => {
    expect(guardDraft({ shape, policy: full, draft, inputs: ['a', 'b', 'c'] })).toEqual({
      ok: true,
      output: draft,
      findings: ['digits'],
      narrowed: [
        { role: 'responder', output: { signal: 'TIER1' } },
        { role: 'participant_3', output: { level: 0 } },
      ],
    })
  })

  test('has no row for a role beyond the participants', () => {
    expect(guardDraft({ shape, policy: full, draft, inputs })).toMatchObject({
      narrowed: [{ role: 'responder' }],
    })
  })

  test('is the same without the inputs, but for the rules that look at them', () => {
    const noted = outputOf(object({ note: free }))
    const told = { shape: noted, policy: full, draft: { note: 'about Bluebird' } }
    expect(guardDraft({ ...told, inputs: ['Bluebird', null] })).toEqual({
      ok: false,
      abort_class: 'OUTPUT_REFUSED',
      code: 'output_refused',
    })
    const shown = guardOutput({ ...told, participants: 2 })
    expect(shown).toEqual(guardDraft({ ...told, inputs: ['other', null] }))
    expect(shown).toMatchObject({ ok: true, output: { note: 'about Bluebird' } })
  })

  test('is no where an output without inputs already tells it', () => {
    expect(guardOutput({ shape, policy, draft, participants: 2 })).toMatchObject({ ok: false })
    expect(guardOutput({ shape, policy: full, draft: { level: 4 }, participants: 2 })).toMatchObject({
      ok: false,
      code: 'member_missing',
    })
  })
})
