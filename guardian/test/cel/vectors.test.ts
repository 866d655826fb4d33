import { readFileSync } from 'node:fs'
import { type JsonValue, parseJson } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { compileProgram, evaluateProgram, type ProgramInputs } from '../../src/index.js'

type Case = {
  readonly name: string
  readonly source: string
  readonly outcome: string
  readonly value?: JsonValue
  readonly code?: string
  readonly cost?: number
}

const read = (file: string) =>
  parseJson(readFileSync(new URL(`../../vectors/evaluation/${file}`, import.meta.url)))
const inputs = read('inputs.json') as unknown as ProgramInputs
const { cost_limit, cases } = read('expect.json') as unknown as {
  readonly cost_limit: number
  readonly cases: readonly Case[]
}

const outcomeOf = (source: string) => {
  const compiled = compileProgram({ language: 'cel', source, cost_limit })
  if (!compiled.ok) return { outcome: 'refused', code: compiled.code }
  const result = evaluateProgram(compiled.program, inputs)
  return result.ok
    ? { outcome: 'value', value: result.value, cost: result.cost }
    : { outcome: 'fault', code: result.code }
}

describe('the vectors of the program language', () => {
  test('name each case once, and hold more faults and refusals than values', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    expect(cases.filter(({ outcome }) => outcome === 'value').length * 2).toBeLessThan(cases.length)
  })

  test.each(cases)('$name', ({ source, outcome, value, code, cost }) => {
    expect(outcomeOf(source)).toEqual({ outcome, value, code, cost })
  })
})
