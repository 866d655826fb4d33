import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signingKeyFromSeed } from '@parley/protocol'
import { expect, test } from 'vitest'
import { loadSigningKey } from '../../src/agentvault-api/signing-seed.js'
import { fresh, temporaryDirectory } from '../boot.js'

const MALFORMED = expect.objectContaining({ code: 'config_malformed' }) as Error

test('a seed that is not there is made for its owner alone, and is the same at the next start', () => {
  const path = join(temporaryDirectory(), 'seed')
  const made = loadSigningKey(path, fresh)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect(loadSigningKey(path, fresh).publicKey).toEqual(made.publicKey)
})

test('a seed that is there is the one that signs', () => {
  const path = join(temporaryDirectory(), 'seed')
  writeFileSync(path, '07'.repeat(32), { mode: 0o600 })
  expect(loadSigningKey(path, fresh).publicKey).toEqual(
    signingKeyFromSeed(new Uint8Array(32).fill(7)).publicKey,
  )
})

test.each(['', '07', 'zz'.repeat(32), 'AB'.repeat(32), '07'.repeat(33), '\xff'])(
  'a file of %j is config_malformed',
  (text) => {
    const path = join(temporaryDirectory(), 'seed')
    writeFileSync(path, text, { mode: 0o600 })
    expect(() => loadSigningKey(path, fresh)).toThrow(MALFORMED)
  },
)

test.each([0o640, 0o604, 0o620, 0o602])(
  'a file of mode %o, which others may open, is config_malformed',
  (mode) => {
    const path = join(temporaryDirectory(), 'seed')
    writeFileSync(path, '07'.repeat(32))
    chmodSync(path, mode)
    expect(() => loadSigningKey(path, fresh)).toThrow(MALFORMED)
  },
)

test('a directory in its place, and a place in no directory, are config_malformed', () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'seed'), { mode: 0o700 })
  expect(() => loadSigningKey(join(directory, 'seed'), fresh)).toThrow(MALFORMED)
  expect(() => loadSigningKey(join(directory, 'none', 'seed'), fresh)).toThrow(MALFORMED)
})
