import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileProgram } from '../../src/index.js'
import { run } from './program.js'

const compile = (source: string) => compileProgram({ language: 'cel', source, cost_limit: 1000 })

describe('a program is refused as malformed', () => {
  test.each<[string, string]>([
    ['parentheses too deep', '('.repeat(200) + '1' + ')'.repeat(200)],
    ['lists too deep', '['.repeat(200) + ']'.repeat(200)],
    ['lists deeper than the stack', '['.repeat(8000) + ']'.repeat(8000)],
    ['a negation of negations', '-'.repeat(257) + '1'],
    ['negations deeper than the stack', '!'.repeat(16_000) + 'true'],
    ['a sum of 257 terms', '1' + '+1'.repeat(257)],
    ['a chain of 200 conditions', 'true ? 1 : '.repeat(200) + '1'],
    ['a chain of 300 members', 'initiator' + '.a'.repeat(300)],
    ['too many nodes', `[${Array.from({ length: 1000 }, () => '1+1+1').join(',')}]`],
    ['too many items', `[${Array.from({ length: 1100 }, () => '1').join(',')}]`],
    ['an unfinished text', '"abc'],
    ['a byte that is no token', '1 # 2'],
    ['a reserved word', 'while'],
    ['an escaped surrogate', '"\\ud800"'],
  ])('%s', (_, source) => {
    expect(compile(source)).toEqual({ ok: false, code: 'program_malformed', pointer: '/source' })
  })
})

test('a program as deep as the limits allow runs', () => {
  expect(run('1' + '+1'.repeat(250))).toMatchObject({ ok: true, value: 251 })
  expect(run('('.repeat(100) + '1' + ')'.repeat(100))).toMatchObject({ ok: true, value: 1 })
})

test('compiling any text gives an answer and never throws', () => {
  const token = fc.constantFrom(
    'initiator',
    'responder',
    '.',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '"a"',
    ':',
    ',',
    '?',
    '+',
    '-',
    '!',
    '&&',
    '||',
    '==',
    'in',
    '1',
    'x',
    'all',
    'map',
    'has',
    'cel.bind',
    'size',
    "'",
    'b"',
    'r"',
    '0x',
    'null',
    '__proto__',
    'constructor',
  )
  const tokens = fc.array(token, { maxLength: 30 }).map((list) => list.join(''))
  fc.assert(
    fc.property(fc.oneof(tokens, fc.string({ unit: 'binary' })), (source) => {
      expect(typeof compile(source).ok).toBe('boolean')
    }),
    { numRuns: 5000 },
  )
})

test('nothing is kept of the names in a program, which strangers choose', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const stuff = (from: number, programs: number) => {
    for (let i = from; i < from + programs; i++) {
      const calls = Array.from({ length: 400 }, (_, j) => `f${i}_${j}(1)`)
      compile(`[${calls.join(',')}]`)
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = stuff(0, 50)
  // 40,000 names; the tables that cel-js shares would keep some 10 MB of them.
  expect(stuff(50, 100) - before).toBeLessThan(3_000_000)
})
