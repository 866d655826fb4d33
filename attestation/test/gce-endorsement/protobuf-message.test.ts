import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProtobufMessage } from '../../src/gce-endorsement/protobuf-message.js'
import { bytesField, uintField } from '../../../scripts/src/google-root/index.js'
import { onlyRefusesAs, refusedAs } from '../measure/refused-as.js'

const open = (hex: string, known: readonly number[] = [1, 2]): ProtobufMessage =>
  new ProtobufMessage('M', Buffer.from(hex, 'hex'), known)

test('integers and bytes are read by their field number', () => {
  const message = open('0896011203616263')
  expect(message.uint32(1)).toBe(150)
  expect(Buffer.from(message.bytes(2) ?? []).toString()).toBe('abc')
})

test('what is absent is zero, or null', () => {
  expect([open('').uint64(1), open('').bytes(2), open('').repeated(2)]).toEqual([0n, null, []])
})

test('the largest integer of 64 bits is read', () => {
  expect(open('08ffffffffffffffffff01').uint64(1)).toBe(2n ** 64n - 1n)
})

test('unknown fields of every wire type are skipped and listed once', () => {
  const message = open('1805' + '22017a' + '2d01020304' + '310102030405060708' + '1806' + '0801')
  expect(message.unknown).toEqual([3, 4, 5, 6])
  expect(message.uint32(1)).toBe(1)
})

test.each([
  ['a varint that does not end', '08ff'],
  ['a varint of eleven bytes', '0880808080808080808080' + '01'],
  ['a varint over 64 bits', '08ffffffffffffffffff02'],
  ['a varint that is not minimal', '088100'],
  ['a tag that is not minimal', '880001'],
  ['field number 0', '0001'],
  ['field number 2^29', '80808080' + '1001'],
  ['the start of a group', '0b0c'],
  ['the end of a group', '0c'],
  ['wire type 6', '0e'],
  ['bytes cut short', '120361'],
  ['bytes longer than memory', '12ffffffffffffffffff01'],
  ['a fixed integer of 32 bits cut short', '2d010203'],
  ['a fixed integer of 64 bits cut short', '3101'],
])('%s is refused as endorsement_malformed', async (_, hex) => {
  await refusedAs('endorsement_malformed', () => open(hex))
})

test('a known field that occurs twice is refused where one is read', async () => {
  await refusedAs('endorsement_malformed', () => open('08010801').uint64(1))
  await refusedAs('endorsement_malformed', () => open('120161120162').bytes(2))
  expect(open('120161120162').repeated(2)).toHaveLength(2)
})

test('a known field of another wire type is refused', async () => {
  await refusedAs('endorsement_malformed', () => open('0a0161').uint64(1))
  await refusedAs('endorsement_malformed', () => open('1001').bytes(2))
  await refusedAs('endorsement_malformed', () => open('1001').repeated(2))
})

test('an integer over 32 bits is refused where 32 are read', async () => {
  await refusedAs('endorsement_malformed', () => open('088080808010').uint32(1))
})

test('what was written is read', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      fc.uint8Array({ minLength: 1 }),
      (integer, bytes) => {
        const message = new ProtobufMessage(
          'M',
          Buffer.concat([uintField(1, integer), bytesField(2, bytes)]),
          [1, 2],
        )
        expect(message.uint64(1)).toBe(integer)
        expect([...(message.bytes(2) ?? [])]).toEqual([...bytes])
      },
    ),
  )
})

test('arbitrary bytes are a message or refused as endorsement_malformed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      onlyRefusesAs('endorsement_malformed', () => new ProtobufMessage('M', bytes, [1]).uint32(1))
    }),
  )
})
