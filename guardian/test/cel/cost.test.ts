import type { JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { run } from './program.js'

const LIMIT = 100_000
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
/** cel.bind(v1, grow(v0), cel.bind(v2, grow(v1), … result)) */
const growing = (rounds: number, grow: (v: string) => string, result: (v: string) => string) => {
  let source = result(`v${rounds}`)
  for (let i = rounds; i > 0; i--)
    source = `cel.bind(v${i}, ${grow(i === 1 ? 'initiator' : `v${i - 1}`)}, ${source})`
  return source
}

describe('no program spends more than its limit, whatever it tries:', () => {
  test.each<[string, string, JsonValue]>([
    ['nested all', 'initiator.all(a, initiator.all(b, initiator.all(c, true)))', numbers(1000)],
    ['nested exists', 'initiator.exists(a, initiator.exists(b, initiator.exists(c, false)))', numbers(1000)],
    [
      'nested exists_one',
      'initiator.exists_one(a, initiator.exists_one(b, initiator.exists_one(c, false)))',
      numbers(1000),
    ],
    ['nested map', 'initiator.map(a, initiator.map(b, initiator.map(c, c)))', numbers(1000)],
    [
      'nested filter',
      'initiator.filter(a, initiator.filter(b, initiator.filter(c, false) == []) == [])',
      numbers(1000),
    ],
    [
      'loops over keys',
      'initiator.all(a, initiator.all(b, initiator.all(c, true)))',
      Object.fromEntries(numbers(1000).map((n) => [`k${n}`, n])),
    ],
    [
      'a text doubled 40 times',
      growing(
        40,
        (v) => `${v} + ${v}`,
        (v) => `size(${v})`,
      ),
      'ab',
    ],
    [
      'a list doubled 40 times',
      growing(
        40,
        (v) => `${v} + ${v}`,
        (v) => `size(${v})`,
      ),
      [1, 2],
    ],
    [
      'a result of shared halves',
      growing(
        40,
        (v) => `[${v}, ${v}]`,
        (v) => v,
      ),
      1,
    ],
    [
      'an equality of shared halves',
      growing(
        40,
        (v) => `[${v}, ${v}]`,
        (v) => `${v} == ${v}`,
      ),
      1,
    ],
    [
      'a map result of shared halves',
      growing(
        40,
        (v) => `{"a": ${v}, "b": ${v}}`,
        (v) => v,
      ),
      1,
    ],
    [
      'a membership in shared halves',
      growing(
        40,
        (v) => `[${v}, ${v}]`,
        (v) => `2 in [${v}] || ${v} in [${v}]`,
      ),
      1,
    ],
    [
      'a search of a long text in a long text',
      'initiator.all(x, !initiator[0].contains(initiator[1] + "b"))',
      ['a'.repeat(8000), 'a'.repeat(4000)],
    ],
    [
      'long texts compared in a loop',
      'responder.all(a, responder.all(b, initiator == initiator + ""))',
      'x'.repeat(5000),
    ],
    [
      'long texts ordered in a loop',
      'responder.all(a, responder.all(b, initiator <= initiator))',
      'x'.repeat(5000),
    ],
    [
      'long texts lowered in a loop',
      'responder.all(a, responder.all(b, initiator.lowerAscii() == ""  || true))',
      'X'.repeat(5000),
    ],
    [
      'long texts measured in a loop',
      'responder.all(a, responder.all(b, size(initiator) > 0))',
      'X'.repeat(5000),
    ],
    [
      'long texts read as integers in a loop',
      'responder.all(a, responder.all(b, int(initiator) == 0 || true))',
      '1'.repeat(5000),
    ],
    ['copies of a list of lists', 'initiator.map(x, initiator.map(y, initiator))', numbers(400)],
  ])('%s', (_, source, initiator) => {
    expect(run(source, initiator, { responder: numbers(1000), limit: LIMIT })).toEqual({
      ok: false,
      code: 'cost_exceeded',
    })
  })
})

describe('the same forms within the limit give their value:', () => {
  test.each<[string, string, JsonValue, JsonValue]>([
    ['nested all', 'initiator.all(a, initiator.all(b, a + b >= 0))', numbers(100), true],
    [
      'a text doubled 10 times',
      growing(
        10,
        (v) => `${v} + ${v}`,
        (v) => `size(${v})`,
      ),
      'ab',
      2048,
    ],
    [
      'a search',
      'initiator[0].contains(initiator[1])',
      ['a'.repeat(8000) + 'b', 'a'.repeat(100) + 'b'],
      true,
    ],
    [
      'shared halves',
      growing(
        3,
        (v) => `[${v}, ${v}]`,
        (v) => v,
      ),
      1,
      [
        [
          [1, 1],
          [1, 1],
        ],
        [
          [1, 1],
          [1, 1],
        ],
      ],
    ],
  ])('%s', (_, source, initiator, value) => {
    expect(run(source, initiator, { limit: LIMIT })).toMatchObject({ ok: true, value })
  })
})
