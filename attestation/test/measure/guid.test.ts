import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guidBytes, guidText } from '../../src/measure/guid.js'

test('the first three fields of a GUID are little-endian, the rest stays', () => {
  expect(Buffer.from(guidBytes('00f771de-1a7e-4fcb-890e-68c77e2fb44e')).toString('hex')).toBe(
    'de71f7007e1acb4f890e68c77e2fb44e',
  )
})

test('any 16 bytes come back from their text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(guidBytes(guidText(bytes))).toEqual(bytes)
    }),
  )
})
