import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { TCB_FLOOR_LISTS } from '../../src/index.js'

const bytes = readFileSync(new URL('../../tcb-floors.json', import.meta.url))
const file = JSON.parse(bytes.toString('utf8')) as { version: string; date: string; floors: unknown }

it('the published list of floors is the one that the program has, under its own hash', () => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(TCB_FLOOR_LISTS.find((list) => list.sha256 === sha256)?.floors).toEqual(file.floors)
})

it('the list is dated, and each row names who says so', () => {
  expect(file.date).toMatch(/^\d{4}-\d\d-\d\d$/)
  for (const { bulletin, source } of TCB_FLOOR_LISTS.flatMap(({ floors }) => floors)) {
    expect(bulletin).toMatch(/^AMD-SB-\d+$/)
    expect(source).toMatch(/^https:\/\//)
  }
})
