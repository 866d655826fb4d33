import { expect, test } from 'vitest'
import { checkRequirements } from '../../src/requirements/check-requirements.js'
import { provenIds } from '../../src/requirements/proven-ids.js'
import { REQUIREMENT_IDS } from '../../src/requirements/requirement-ids.js'

const table = (ids: readonly string[], provenBy: (id: string) => string): string =>
  `# Before\n\n| id | requirement | proven by |\n|---|---|---|\n${ids.map((id) => `| ${id} | something | ${provenBy(id)} |\n`).join('')}\nAfter\n`
const titles = (ids: readonly string[]): string =>
  ids.map((id) => `test('${id}: holds', () => {})`).join('\n')
const tests = (ids: readonly string[]): ReadonlyMap<string, string> =>
  new Map([['room/test/one.test.ts', titles(ids)]])
const complete = table(REQUIREMENT_IDS, () => 'room/one')

test('a table that names the test of every id has no complaint', () => {
  expect(checkRequirements(complete, tests(REQUIREMENT_IDS))).toEqual({ spec: complete, complaints: [] })
})

test('an id without a test is a complaint', () => {
  const ids = REQUIREMENT_IDS.filter((id) => id !== 'A2A-17')
  expect(checkRequirements(complete, tests(ids)).complaints).toContain('A2A-17 has no test')
})

test('an id without a row is a complaint', () => {
  const ids = REQUIREMENT_IDS.filter((id) => id !== 'UAR-27')
  const { complaints } = checkRequirements(
    table(ids, () => 'room/one'),
    tests(REQUIREMENT_IDS),
  )
  expect(complaints).toEqual(['SPEC.md does not list every id once, in order'])
})

test('a test of an id that there is not is a complaint', () => {
  const { complaints } = checkRequirements(complete, tests([...REQUIREMENT_IDS, 'UAR-28']))
  expect(complaints).toEqual(['UAR-28 is no id'])
})

test('a row that names another test is a complaint, and what is written has none', () => {
  const stale = table(REQUIREMENT_IDS, (id) => (id === 'A2A-01' ? '' : 'room/one'))
  const { spec, complaints } = checkRequirements(stale, tests(REQUIREMENT_IDS))
  expect(complaints).toHaveLength(1)
  expect(spec).toBe(complete)
})

test.each([
  ['no table', '# SPEC\n'],
  ['a broken row', complete.replace('| A2A-02 |', '| A2A-2 |')],
])('a text with %s is refused', (_, spec) => {
  expect(() => checkRequirements(spec, tests(REQUIREMENT_IDS))).toThrow()
})

test('a title proves the ids that it begins with, not those that it mentions', () => {
  const source = `describe("A2A-01, UAR-02: both", () => { test('like A2A-03, but not it', f); test(\`A2A-01: again\`, f) })`
  expect(provenIds(source)).toEqual(['A2A-01', 'UAR-02'])
})
