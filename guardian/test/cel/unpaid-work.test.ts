import type { JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Evaluation, evaluateProgram } from '../../src/index.js'
import { arbitraryInputs, arbitraryProgram } from './arbitrary-program.js'
import { countWork, type Work } from './count-work.js'
import { program, run } from './program.js'

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
const costOf = (source: string, initiator: JsonValue = null): number => {
  const result = run(source, initiator)
  if (!result.ok) throw new Error(result.code)
  return result.cost
}

describe('a look-up pays for every unit of the name:', () => {
  const object = (size: number): JsonValue => ({ name: 'n'.repeat(size), map: { ['n'.repeat(size)]: 1 } })
  const asData = (size: number): number => costOf('true', object(size))

  test.each([
    ['in', 'initiator.name in initiator.map'],
    ['an index', 'initiator.map[initiator.name]'],
    ['an equality of maps', 'initiator.map == initiator.map'],
  ])('%s', (_, source) => {
    const own = (size: number) => costOf(source, object(size)) - asData(size)
    expect(own(1000) - own(10)).toBe(990)
  })

  test.each([
    ['a member', (name: string) => `initiator.${name}`],
    ['has', (name: string) => `has(initiator.${name})`],
    ['has, where there is none', (name: string) => `has(initiator.${name}x)`],
  ])('%s', (_, source) => {
    const own = (size: number) => {
      const object = { ['n'.repeat(size)]: 1 }
      return costOf(source('n'.repeat(size)), object) - costOf('true', object)
    }
    expect(own(1000) - own(10)).toBe(990)
  })
})

describe('an input pays for what reading it takes:', () => {
  test('the units of its texts', () => {
    expect(costOf('true', 'x'.repeat(1000)) - costOf('true', '')).toBe(1000)
  })

  test('for each member once, and ⌈log2 n⌉ times more, its name and one', () => {
    const members = (n: number) => Object.fromEntries(numbers(n).map((i) => [`k${100 + i}`, i]))
    const sorted = (n: number) => costOf('true', members(n)) - costOf('true', {}) - n
    expect([1, 2, 3, 4, 5, 8, 9, 256, 257].map((n) => sorted(n) / n / (1 + 'k100'.length))).toEqual([
      1, 2, 3, 3, 4, 4, 5, 9, 10,
    ])
  })
})

describe('a result pays for what reading it takes, in each place that it has:', () => {
  test('the units of its texts', () => {
    const text = 'x'.repeat(1000)
    expect(costOf('[initiator, initiator, initiator]', text) - costOf('[1, 1, 1]', text)).toBe(3000)
  })

  test('its members', () => {
    const twice = costOf('[initiator, initiator]', { abc: 1 }) - costOf('[1, 1]', { abc: 1 })
    expect(twice).toBe(2 * (1 + 'abc'.length + 1))
  })
})

test('a name costs the same under one binding and under sixty', () => {
  const under = (bindings: number) =>
    numbers(bindings).reduceRight((inner, i) => `cel.bind(v${i}, 0, ${inner})`, 'initiator')
  expect(costOf(under(60)) - costOf(under(59))).toBe(costOf(under(2)) - costOf(under(1)))
})

/** Each unit that was spent may have read one unit of a name, and no more. */
const paid = (evaluate: () => Evaluation, limit: number): Work & { readonly spent: number } => {
  let result: Evaluation | undefined
  const work = countWork(() => {
    result = evaluate()
  })
  return { ...work, spent: result?.ok === true ? result.cost : limit }
}

describe('no evaluation looks up or sorts more than it paid for', () => {
  test('with any program over any inputs', () => {
    fc.assert(
      fc.property(arbitraryProgram, arbitraryInputs, arbitraryInputs, (source, initiator, responder) => {
        const compiled = program(source)
        const { lookUps, sorting, spent } = paid(
          () => evaluateProgram(compiled, { initiator, responder }),
          100_000,
        )
        expect(lookUps + sorting).toBeLessThanOrEqual(spent)
      }),
      { numRuns: 500 },
    )
  })

  test.each<[string, string, JsonValue]>([
    [
      'a long name looked up in a loop',
      'initiator.list.all(x, initiator.list.all(y, initiator.name in initiator.map))',
      { list: numbers(200), name: 'A'.repeat(20_000), map: { ['A'.repeat(20_000)]: 1 } },
    ],
    [
      'a long name as an index in a loop',
      'initiator.list.all(x, initiator.list.all(y, initiator.map[initiator.name] == 1))',
      { list: numbers(200), name: 'A'.repeat(500), map: { ['A'.repeat(500)]: 1 } },
    ],
    [
      'maps of long names compared in a loop',
      'initiator.list.all(x, initiator.list.all(y, initiator.map == initiator.map))',
      { list: numbers(200), map: { ['A'.repeat(500)]: 1 } },
    ],
    [
      'very many members out of order',
      'true',
      Object.fromEntries(numbers(20_000).map((i) => [`k${(i * 7919) % 20_011}`, 0])),
    ],
    [
      'members whose long names differ in their last units',
      'true',
      Object.fromEntries(numbers(64).map((i) => ['A'.repeat(300) + `${(i * 31) % 64}`, 0])),
    ],
  ])('%s: cost_exceeded', (_, source, initiator) => {
    const compiled = program(source)
    const { lookUps, sorting } = paid(() => {
      const result = evaluateProgram(compiled, { initiator, responder: null })
      expect(result).toEqual({ ok: false, code: 'cost_exceeded' })
      return result
    }, 100_000)
    expect(lookUps + sorting).toBeLessThanOrEqual(100_000)
  })
})

describe('an equality of values that a program has nested', () => {
  const nested = (levels: number) => {
    const half = '['.repeat(levels / 2)
    return `cel.bind(a, ${half}1${half.replaceAll('[', ']')}, cel.bind(b, ${half}a${half.replaceAll('[', ']')}, b == b))`
  }

  test('as deep as JSON may be is decided', () => {
    expect(run(nested(64))).toMatchObject({ ok: true, value: true })
  })

  test('deeper fails, however much stack there is', () => {
    expect(run(nested(66))).toEqual({ ok: false, code: 'evaluation_failed' })
  })
})
