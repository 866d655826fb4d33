import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const SECURITY = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
const guarantees = [...SECURITY.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name !== 'index.test.ts')
const FORM = /^(\d\d)-[a-z0-9]+(?:-[a-z0-9]+)*\.test\.ts$/

test('the guarantees are numbered from 1, without a gap', () => {
  expect(guarantees.length).toBeGreaterThan(0)
  expect(guarantees).toEqual(guarantees.map((_, at) => at + 1))
})

test('every guarantee has exactly one file, and every file a guarantee', () => {
  expect(files.filter((name) => !FORM.test(name))).toEqual([])
  const numbers = files.map((name) => Number(FORM.exec(name)?.[1])).sort((one, other) => one - other)
  expect(numbers).toEqual(guarantees)
})
