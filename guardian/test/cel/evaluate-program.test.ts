import { Environment } from '@marcbachmann/cel-js'
import { canonicalize, type JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluateProgram } from '../../src/index.js'
import { arbitraryInputs, arbitraryProgram } from './arbitrary-program.js'
import { program, run } from './program.js'

/** cel-js's own evaluator, as an oracle: undefined where it fails. */
const theirs = (source: string, inputs: Record<string, unknown>): JsonValue | undefined => {
  const env = new Environment({ homogeneousAggregateLiterals: false })
  env.registerVariable('initiator', 'dyn').registerVariable('responder', 'dyn')
  try {
    return fromCel(env.evaluate(source, toCel(inputs) as Record<string, unknown>))
  } catch {
    return undefined
  }
}

const toCel = (value: unknown): unknown => {
  if (typeof value === 'number') return BigInt(value)
  if (Array.isArray(value)) return value.map(toCel)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toCel(member)]))
  return value
}

const fromCel = (value: unknown): JsonValue => {
  if (typeof value === 'bigint' && !Number.isSafeInteger(Number(value))) throw new RangeError('not exact')
  return typeof value === 'bigint'
    ? Number(value)
    : Array.isArray(value)
      ? value.map(fromCel)
      : (value as JsonValue)
}

describe('evaluation', () => {
  test('gives what cel-js gives, wherever that gives a value', () => {
    let compared = 0
    fc.assert(
      fc.property(arbitraryProgram, arbitraryInputs, arbitraryInputs, (source, initiator, responder) => {
        const expected = theirs(source, { initiator, responder })
        // cel-js does not check the result of a negation: it may carry an integer beyond int64 for a while.
        const ours = run(source, initiator, { responder, limit: 1_000_000 })
        if (expected === undefined) return
        compared++
        expect(ours).toMatchObject({ ok: true, value: expected })
      }),
      { numRuns: 3000 },
    )
    expect(compared).toBeGreaterThan(1000)
  })

  test('is repeatable: the same inputs give the same bytes and the same cost', () => {
    fc.assert(
      fc.property(arbitraryProgram, arbitraryInputs, arbitraryInputs, (source, initiator, responder) => {
        const compiled = program(source)
        const once = evaluateProgram(compiled, { initiator, responder })
        const reordered = Object.fromEntries(Object.entries(initiator).reverse())
        const again = evaluateProgram(compiled, { initiator: reordered, responder })
        expect(canonicalize(again)).toBe(canonicalize(once))
      }),
    )
  })

  test('stops exactly where the cost limit says: one unit less than the cost is too little', () => {
    fc.assert(
      fc.property(arbitraryProgram, arbitraryInputs, arbitraryInputs, (source, initiator, responder) => {
        const result = run(source, initiator, { responder })
        fc.pre(result.ok)
        const { cost } = result as { readonly cost: number }
        expect(run(source, initiator, { responder, limit: cost })).toEqual(result)
        expect(run(source, initiator, { responder, limit: cost - 1 })).toEqual({
          ok: false,
          code: 'cost_exceeded',
        })
      }),
      { numRuns: 500 },
    )
  })

  test('does not let a disjunction swallow an exhausted cost', () => {
    const source = 'initiator.exists(x, initiator.all(y, x == y)) || true'
    const list = Array.from({ length: 100 }, (_, i) => i)
    expect(run(source, list, { limit: 150 })).toEqual({ ok: false, code: 'cost_exceeded' })
    expect(run(source, list)).toMatchObject({ ok: true, value: true })
  })
})

describe('member names of a participant', () => {
  const hostile = JSON.parse(
    '{"__proto__": {"admin": true}, "constructor": 1, "toString": "x", "hasOwnProperty": null}',
  ) as JsonValue

  test.each<[string, JsonValue]>([
    ['initiator["__proto__"].admin', true],
    ['has(initiator.admin)', false],
    ['initiator.constructor', 1],
    ['initiator.toString', 'x'],
    ['size(initiator)', 4],
    ['has(initiator.valueOf)', false],
    ['"valueOf" in initiator', false],
    ['initiator == responder', false],
    ['initiator.map(k, k)', ['__proto__', 'constructor', 'hasOwnProperty', 'toString']],
  ])('are data in %s', (source, value) => {
    expect(run(source, hostile, { responder: {} })).toMatchObject({ ok: true, value })
  })

  test('come out as own members of the result, and nothing else is changed', () => {
    const result = run('initiator', hostile)
    expect(result.ok && canonicalize(result.value)).toBe(canonicalize(hostile))
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
    expect(result.ok && Object.getPrototypeOf(result.value)).toBe(Object.prototype)
  })

  test('are own members only: an empty object equals no object with inherited ones', () => {
    expect(run('initiator == {"toString": 1}', {})).toMatchObject({ value: false })
  })
})

describe('an input', () => {
  test.each<[string, JsonValue]>([
    ['a fraction', { n: 0.5 }],
    ['an integer beyond the exact ones', { n: 2 ** 53 }],
    ['65 levels', JSON.parse('['.repeat(65) + ']'.repeat(65)) as JsonValue],
  ])('with %s fails every program, also one that does not look at it', (_, input) => {
    expect(run('1', input)).toEqual({ ok: false, code: 'evaluation_failed' })
  })

  test('is paid for by its size', () => {
    const list = Array.from({ length: 500 }, () => 0)
    expect(run('1', list, { limit: 400 })).toEqual({ ok: false, code: 'cost_exceeded' })
  })

  test('of minus zero is zero', () => {
    const result = run('initiator', -0)
    expect(result.ok && Object.is(result.value, 0)).toBe(true)
  })
})

test('a result may nest 64 levels and no more', () => {
  const deep = JSON.parse('['.repeat(63) + '1' + ']'.repeat(63)) as JsonValue
  expect(run('[initiator]', deep).ok).toBe(true)
  expect(run('[[initiator]]', deep)).toEqual({ ok: false, code: 'evaluation_failed' })
})
