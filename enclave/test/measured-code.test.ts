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
  expect(collecting.filter((name) => name !== 'src/relay.ts')).toEqual(['src/run-relay.ts'])
})

test('whatever the program imports statically is of this room or of Node itself, and loads nothing more', () => {
  const seen = new Set<string>()
  const follow = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const text = readFileSync(join(ROOM, 'src', name), 'utf8')
    const statements = text.matchAll(
      /^(?:import|export)(?: (?!type )(?:\{[^}]*\}|\*[\w ]*|\w+) from)? '([^']+)'$/gm,
    )
    for (const [, from = ''] of statements) {
      if (from.startsWith('node:')) continue
      expect([name, from.startsWith('./')]).toEqual([name, true])
      follow(from.slice(2).replace('.js', '.ts'))
    }
  }
  follow('main.ts')
  expect([...seen].sort()).toEqual([
    'command-line.ts',
    'environment.ts',
    'main.ts',
    'relay-error.ts',
    'report-failure.ts',
  ])
})

test('the native code of the store is imported by one file, and that file only when it is needed', () => {
  const importing = (pattern: RegExp) =>
    sources.filter((name) => pattern.test(readFileSync(join(ROOM, name), 'utf8')))
  expect(importing(/'lmdb'/)).toEqual(['src/store/lmdb-store.ts'])
  expect(importing(/from '.*\/lmdb-store\.js'/)).toEqual([])
  expect(importing(/await import\('\.\/lmdb-store\.js'\)/)).toEqual(['src/store/open-relay-store.ts'])
})

test('only the clock reads the time, and only the program draws random octets', () => {
  const matching = (pattern: RegExp) =>
    sources.filter((name) => pattern.test(readFileSync(join(ROOM, name), 'utf8')))
  expect(matching(/Date\.now|performance\.now|new Date\(\)/)).toEqual(['src/clock.ts'])
  expect(matching(/randomBytes|getRandomValues|randomUUID|Math\.random/)).toEqual(['src/run-relay.ts'])
})
