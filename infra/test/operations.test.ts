import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '@parley/agent'
import { expect, test } from 'vitest'
import { inRepository } from '../../scripts/src/demo/paths.js'

const PATH = inRepository('infra/OPERATIONS.md')
const guide = readFileSync(PATH, 'utf8')
const threats = guide.slice(guide.indexOf('## Who can do what'))
const tests = [...guide.matchAll(/`([^`\s]+\.test\.ts)`/g)].map(([, path = '']) => path)

const helpOf = async (command: readonly string[]): Promise<string> => {
  let text = ''
  const say = (more: string): void => void (text += more)
  const clock = { nowMs: () => 0, sleep: () => Promise.resolve() }
  const code = await run([...command, '--help'], { out: say, err: say, env: {}, confirm: null, clock })
  expect({ command, code, text }).toMatchObject({ code: 0 })
  return text
}

/** Each `parley …` that stands in the guide: its subcommands, and its options. */
const commands = [...guide.matchAll(/(?:^|`)parley ([a-z][^`\n]*)/gm)].map(([, text = '']) => {
  const words = text.split(' ')
  const end = words.findIndex((word) => !/^[a-z]+$/.test(word))
  return { words: words.slice(0, end < 0 ? words.length : end), options: text.match(/--[a-z-]+/g) ?? [] }
})

test('the guide names tests that are there', () => {
  expect(tests.length).toBeGreaterThan(20)
  for (const path of tests)
    expect({ path, there: existsSync(inRepository(path)) }).toEqual({ path, there: true })
})

test('each threat has a test that shows what can’t be done', () => {
  const rows = threats.split('\n').filter((line) => /^\| (?!party|-)/.test(line) && !line.startsWith('|---'))
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) expect(row).toMatch(/\.test\.ts` \|$/)
})

test('every promise of the confidential lane’s host is in the table of threats', () => {
  const numbers = [...threats.matchAll(/test\/promises\/(\d\d)-/g)].map(([, number]) => Number(number))
  for (const number of [1, 2, 3, 4, 5, 9, 12, 15, 16, 17, 18]) expect(numbers).toContain(number)
})

test('the guide’s commands are commands, with options that they have', async () => {
  expect(commands.length).toBeGreaterThan(6)
  for (const { words, options } of commands) {
    // What follows the last subcommand may be an argument.
    const known = words.slice(
      0,
      words[0] === 'audit' || words[0] === 'relay' || words[0] === 'consent' ? 2 : 1,
    )
    const help = await helpOf(known)
    expect(help).toMatch(new RegExp(`^Usage: parley ${known.join(' ')}`))
    for (const option of options) expect(help).toContain(option)
  }
})

test('the guide’s links lead to files', () => {
  const links = [...guide.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(1)
  for (const path of links)
    expect({ path, there: existsSync(join(dirname(PATH), path)) }).toEqual({ path, there: true })
})

test('the guide’s targets of make are in the Makefile', () => {
  const makefile = readFileSync(inRepository('Makefile'), 'utf8')
  const targets = [...guide.matchAll(/^make ([a-z-]+)/gm)].map(([, target = '']) => target)
  expect(targets).toEqual(['containers', 'test-containers'])
  for (const target of targets) expect(makefile).toMatch(new RegExp(`^${target}: .*##`, 'm'))
})
