import { readdirSync, readFileSync } from 'node:fs'
import { type JsonObject, type JsonValue, parseJson } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { compileOutputSchema, guardDraft, type GuardDecision, parseGuardianPolicy } from '../../src/index.js'

const FOLDER = new URL('../../vectors/policy/', import.meta.url)
const consumed = new Set(['SOURCE.md'])
const read = (file: string): JsonValue => {
  consumed.add(file)
  return parseJson(readFileSync(new URL(file, FOLDER)))
}
const example = read('example.json') as JsonObject
const decisions = read('decisions.json') as unknown as {
  readonly inputs: readonly JsonValue[]
  readonly cases: readonly {
    readonly name: string
    readonly draft: JsonValue
    readonly expect: GuardDecision
  }[]
}
const refused = read('refused.json') as unknown as {
  readonly cases: readonly { readonly name: string; readonly change: JsonObject }[]
}
const schema = read('schema.json')

describe('the vectors of the guardian policy', () => {
  test('are all consumed, name each case once, and hold more noes than yeses', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...consumed].sort())
    const names = [...decisions.cases, ...refused.cases].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(decisions.cases.filter((each) => each.expect.ok).length * 2).toBeLessThan(decisions.cases.length)
  })

  test('have the policy that the specification shows', () => {
    const spec = readFileSync(new URL('../../../protocol/SPEC.md', import.meta.url), 'utf8')
    const [, section = ''] = spec.split('\n## 17. Guardian policy\n')
    const [, shown = ''] = /```json\n([^`]+)```/.exec(section) ?? []
    expect(parseJson(new TextEncoder().encode(shown))).toEqual(example)
  })

  test.each(decisions.cases)('$name', ({ draft, expect: expected }) => {
    const compiled = compileOutputSchema(schema)
    if (!compiled.ok) throw new Error(`${compiled.code} at ${compiled.pointer}`)
    const policy = parseGuardianPolicy(example)
    const decision = guardDraft({ shape: compiled.shape, policy, draft, inputs: decisions.inputs })
    expect(decision).toEqual(expected)
  })

  test.each(refused.cases)('$name is refused', ({ change }) => {
    expect(() => parseGuardianPolicy({ ...example, ...change })).toThrow(
      expect.objectContaining({ code: 'object_malformed' }),
    )
  })
})
