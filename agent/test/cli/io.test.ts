import { expect, test } from 'vitest'
import { printJson } from '../../src/cli/io.js'
import { play, setUp } from './terminal.js'

const EVIL = 'a\u001b[31mb\u009bc\u202ed'
const PLAIN = /^[\n\x20-\x7e]*$/

test('a JSON document holds nothing that a terminal obeys, and the same value', () => {
  const said: string[] = []
  const io = { ...unusedIo, out: (text: string) => void said.push(text) }
  printJson(io, { [EVIL]: EVIL })
  expect(said.join('')).toMatch(PLAIN)
  expect(JSON.parse(said.join(''))).toEqual({ [EVIL]: EVIL })
})

test.each<[string, string[]]>([
  ['a file that is not there', ['session', 'join', EVIL, '--policy', EVIL]],
  ['a bundle that is not there', ['verify', EVIL, '--policy', EVIL]],
  ['a command that is none', [EVIL]],
  ['an option that is none', ['init', `--${EVIL}`]],
])('an error on %s holds nothing that a terminal obeys', async (_, argv) => {
  const { code, out, err } = await play(argv)
  expect(code).toBe(1)
  expect(err).not.toBe('')
  expect(out + err).toMatch(PLAIN)
})

test('a verdict on a bundle with a member of any name holds nothing that a terminal obeys', async () => {
  const { file, policy } = await setUp()
  const bundle = await file('evil.parley.json', JSON.stringify({ [EVIL]: 1 }))
  for (const options of [[], ['--json']]) {
    const { code, out } = await play(['verify', bundle, '--policy', policy, ...options])
    expect(code).toBe(5)
    expect(out).toMatch(PLAIN)
  }
})

const unusedIo = {
  err: () => undefined,
  env: {},
  confirm: null,
  clock: { nowMs: () => 0, sleep: () => Promise.resolve() },
}
