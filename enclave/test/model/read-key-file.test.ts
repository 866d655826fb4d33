import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readKeyFile } from '../../src/model/read-key-file.js'
import { temporaryDirectory } from '../boot.js'

const malformed = expect.objectContaining({ code: 'config_malformed' }) as Error

const write = (content: string, mode = 0o600): string => {
  const path = join(temporaryDirectory(), 'key')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

test.each(['sk-0123', 'sk-0123\n'])('a key is one line of a file of its owner alone', (content) => {
  expect(readKeyFile(write(content), 'acme')).toBe('sk-0123')
})

test('a file that its owner may only read is one too', () => {
  expect(readKeyFile(write('sk', 0o400), 'acme')).toBe('sk')
})

test.each([0o640, 0o604, 0o660, 0o644, 0o610])('a file of mode %s is refused as config_malformed', (mode) => {
  expect(() => readKeyFile(write('sk', mode), 'acme')).toThrow(malformed)
})

test.each([
  ['nothing', ''],
  ['an empty line', '\n'],
  ['two lines', 'a\nb\n'],
  ['a space', 'a b'],
  ['a carriage return', 'a\r\n'],
  ['another script', 'schlüssel'],
  ['more than 1 KiB', 'x'.repeat(1025)],
])('a file with %s is refused as config_malformed', (_, content) => {
  expect(() => readKeyFile(write(content), 'acme')).toThrow(malformed)
})

test('a link, a directory and nothing at all are refused as config_malformed', () => {
  const directory = temporaryDirectory()
  symlinkSync(write('sk'), join(directory, 'link'))
  mkdirSync(join(directory, 'folder'), { mode: 0o700 })
  for (const name of ['link', 'folder', 'none'])
    expect(() => readKeyFile(join(directory, name), 'acme')).toThrow(malformed)
})

test('the message names the provider and neither the file nor the key', () => {
  const path = write('CANARY KEY')
  expect(() => readKeyFile(path, 'acme')).toThrow(
    expect.objectContaining({ message: 'the key file of provider acme is not one line of visible ASCII' }),
  )
})
