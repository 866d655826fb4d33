import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEntities } from '../../src/ingress/decode-entities.js'

test.each([
  ['&lt;&gt;&amp;', '<>&'],
  ['&ltb&gtb', '<b>b'],
  ['&#60;&#x3C;&#X3c;&#60', '<<<<'],
  ['&sol;&lowbar;', '/_'],
  ['&amp;amp;lt;', '<'],
  ['&sol &unknown; & &;', '&sol &unknown; & &;'],
  ['&#xd800;&#x110000;&#99999999999;', '\ufffd\ufffd\ufffd'],
])('%s reads as %j', (text, expected) => {
  expect(decodeEntities(text)).toBe(expected)
})

test('a text without ampersand is its own reading, and none makes it throw or grow', () => {
  const part = fc.constantFrom('&', '#', 'x', '3c', '60', ';', 'lt', 'amp', 'a')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      const read = decodeEntities(text)
      expect(read.length).toBeLessThanOrEqual(text.length)
      if (!text.includes('&')) expect(read).toBe(text)
    }),
  )
})
