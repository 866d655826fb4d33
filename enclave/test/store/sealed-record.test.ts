import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey, openRecord, sealRecord } from '../../src/store/sealed-record.js'
import { bytes, fresh } from '../boot.js'

const KEY = fresh(32)
const PLACE = ['put', 'name', 1]
const seal = (value: Uint8Array): Uint8Array => sealRecord(KEY, PLACE, value, fresh(12))
const altered = expect.objectContaining({ code: 'record_altered' }) as Error

test('a record opens where it was sealed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (value) => {
      expect(openRecord(KEY, PLACE, seal(value))).toEqual(value)
    }),
  )
})

test.each([
  [0, 1024],
  [1020, 1024],
  [1021, 4096],
  [4093, 16_384],
  [300_000, 1_048_576],
])('a record of %i octets is sealed as one of %i', (length, size) => {
  expect(seal(new Uint8Array(length)).length).toBe(12 + size + 16)
})

test.each([
  ['another name', ['put', 'other', 1]],
  ['another version', ['put', 'name', 2]],
  ['another kind', ['append', 'name', 1]],
])('a record does not open under %s', (_, place) => {
  expect(() => openRecord(KEY, place, seal(bytes('value')))).toThrow(altered)
})

test('a record does not open under another key', () => {
  expect(() => openRecord(fresh(32), PLACE, seal(bytes('value')))).toThrow(altered)
})

test('whatever else stands in its place is record_altered', () => {
  const sealed = seal(bytes('value'))
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = sealed.map((octet, index) => (index === at ? octet ^ change : octet))
      expect(() => openRecord(KEY, PLACE, changed)).toThrow(altered)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (other) => {
      expect(() => openRecord(KEY, PLACE, other)).toThrow(altered)
    }),
  )
})

test('each use has a key of its own', () => {
  expect(deriveKey(KEY, 'record-name')).not.toEqual(deriveKey(KEY, 'record-value'))
  expect(deriveKey(KEY, 'record-name')).toEqual(deriveKey(KEY, 'record-name'))
})
