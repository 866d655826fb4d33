import { expect, test } from 'vitest'
import { createRecordMemory } from '../../src/release/record-memory.js'
import { bytes } from '../boot.js'

const memoryOf = (names: readonly string[]) => {
  const memory = createRecordMemory<string>()
  for (const name of names) memory.keep(name, bytes(name), `said ${name}`)
  return memory
}

test('what a record says is found under its name and exactly its bytes', () => {
  expect(memoryOf(['a', 'b']).find('a', bytes('a'))).toBe('said a')
})

test('other bytes under a name are not known: one octet, an end that is missing, an end too many', () => {
  const memory = memoryOf(['record'])
  for (const other of ['recorD', 'recor', 'records', ''])
    expect(memory.find('record', bytes(other))).toBeUndefined()
})

test('the same bytes under another name are not known', () => {
  expect(memoryOf(['a']).find('b', bytes('a'))).toBeUndefined()
})

test('a record that is written again is known by its new bytes only', () => {
  const memory = memoryOf(['a'])
  memory.keep('a', bytes('new'), 'said anew')
  expect(memory.find('a', bytes('a'))).toBeUndefined()
  expect(memory.find('a', bytes('new'))).toBe('said anew')
})

test('a record that is dropped is not known', () => {
  const memory = memoryOf(['a'])
  memory.drop('a')
  expect(memory.find('a', bytes('a'))).toBeUndefined()
})

test('only the last 32 records are remembered', () => {
  const names = Array.from({ length: 33 }, (_, index) => `record ${index}`)
  const memory = memoryOf(names)
  expect(names.filter((name) => memory.find(name, bytes(name)) === undefined)).toEqual(['record 0'])
})

test('a record over 128 KiB is not remembered, nor what stood under its name', () => {
  const memory = memoryOf(['a'])
  const most = new Uint8Array(131_072)
  memory.keep('a', most, 'fits')
  expect(memory.find('a', most)).toBe('fits')
  const over = new Uint8Array(131_073)
  memory.keep('a', over, 'does not')
  expect(memory.find('a', over)).toBeUndefined()
  expect(memory.find('a', most)).toBeUndefined()
})
