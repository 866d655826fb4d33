import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOM = fileURLToPath(new URL('..', import.meta.url))
const files = (folder: string): string[] =>
  readdirSync(join(ROOM, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.(?:ts|js)$/.test(name))
const sources = files('src')

test.each(existsSync(join(ROOM, 'dist')) ? ['src', 'dist'] : ['src'])(
  'nothing in %s names a stand-in for the processor',
  (folder) => {
    const naming = files(folder).filter((name) =>
      /simulat|fake|mock|emulat/i.test(name + readFileSync(join(ROOM, name), 'utf8')),
    )
    expect(naming).toEqual([])
  },
)

test('only the program itself reads the environment, and it builds only the collector of the hardware', () => {
  const reading = sources.filter((name) => readFileSync(join(ROOM, name), 'utf8').includes('process.env'))
  const collecting = sources.filter((name) => readFileSync(join(ROOM, name), 'utf8').includes('Collector('))
  expect(reading).toEqual(['src/main.ts'])
  expect(collecting.filter((name) => name !== 'src/relay.ts')).toEqual(['src/main.ts'])
})

test('only the clock reads the time, and only the program draws random octets', () => {
  const matching = (pattern: RegExp) =>
    sources.filter((name) => pattern.test(readFileSync(join(ROOM, name), 'utf8')))
  expect(matching(/Date\.now|performance\.now|new Date\(\)/)).toEqual(['src/clock.ts'])
  expect(matching(/randomBytes|getRandomValues|randomUUID|Math\.random/)).toEqual(['src/main.ts'])
})
