import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHttpDate } from '../../src/session/http-date.js'

describe('an HTTP date', () => {
  it('is read back to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        expect(parseHttpDate(new Date(seconds * 1000).toUTCString())).toBe(seconds)
      }),
    )
  })

  it.each([
    '',
    'Fri, 15 Jan 2027 08:00:00',
    'Fri, 15 Jan 2027 08:00:00 UTC',
    'fri, 15 Jan 2027 08:00:00 GMT',
    'Thu, 15 Jan 2027 08:00:00 GMT',
    'Fri, 15 Jan 2027 8:00:00 GMT',
    'Fri, 31 Feb 2027 08:00:00 GMT',
    'Friday, 15-Jan-27 08:00:00 GMT',
    'Fri Jan 15 08:00:00 2027',
    '2027-01-15T08:00:00.000Z',
    '1800000000',
  ])('%j is refused', (text) => {
    expect(parseHttpDate(text)).toBeUndefined()
  })
})
