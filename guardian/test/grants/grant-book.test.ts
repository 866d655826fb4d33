import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CountedGrant, GrantBook } from '../../src/index.js'

const counted = (change: Partial<CountedGrant> = {}): CountedGrant => ({
  iss: 'a',
  jti: '1',
  exp: 1000,
  max_uses: 2,
  ...change,
})

test('a grant is used as often as it says and no more', () => {
  const book = new GrantBook()
  expect([1, 2, 3, 4].map(() => book.take([counted()], 0))).toEqual(['taken', 'taken', 'used_up', 'used_up'])
})

test('of several grants each is counted, or none is', () => {
  const book = new GrantBook()
  const [whole, part] = [counted({ max_uses: 2 }), counted({ jti: '2', max_uses: 1 })]
  expect(book.take([whole, part], 0)).toBe('taken')
  expect(book.take([whole, part], 0)).toBe('used_up')
  expect(book.find(whole)?.uses).toBe(1)
  expect(book.take([whole], 0)).toBe('taken')
  expect(book.take([whole, counted({ jti: '3', max_uses: 9 })], 0)).toBe('used_up')
  expect(book.find({ iss: 'a', jti: '3' })).toBeUndefined()
})

test('a name that stands twice in a chain is counted twice', () => {
  const book = new GrantBook()
  expect(book.take([counted({ max_uses: 1 }), counted({ max_uses: 1 })], 0)).toBe('used_up')
  expect(book.find(counted())).toBeUndefined()
})

test('two issuers’ grants of one id are two', () => {
  const book = new GrantBook()
  expect(book.take([counted({ max_uses: 1 })], 0)).toBe('taken')
  expect(book.take([counted({ iss: 'b', max_uses: 1 })], 0)).toBe('taken')
})

test('a revoked grant is worth nothing, whether it was used or not, and nor is what descends from it', () => {
  const book = new GrantBook()
  book.take([counted()], 0)
  book.revoke(counted())
  book.revoke(counted({ jti: 'free' }))
  expect(book.take([counted()], 0)).toBe('revoked')
  expect(book.take([counted({ jti: 'free', max_uses: null })], 0)).toBe('revoked')
  expect(book.take([counted(), counted({ jti: '2' })], 0)).toBe('revoked')
})

test('what ended is forgotten when there is no room, and then never counts again, whatever the clock says', () => {
  const book = new GrantBook(undefined, 2)
  const [old, live] = [counted({ exp: 10, max_uses: 1 }), counted({ jti: '2', exp: 100, max_uses: 1 })]
  expect([book.take([old], 0), book.take([live], 0)]).toEqual(['taken', 'taken'])
  expect(book.take([counted({ jti: '3', exp: 100 })], 10)).toBe('taken')
  expect(book.find(old)).toBeUndefined()
  expect(book.take([old], 0)).toBe('expired')
  expect(book.take([counted({ jti: '4', exp: 5 })], 0)).toBe('expired')
})

test('a book full of live grants takes no other, forgets none, and still revokes', () => {
  const book = new GrantBook(undefined, 1)
  expect(book.take([counted({ max_uses: 3 })], 0)).toBe('taken')
  expect(book.take([counted({ jti: '2' })], 0)).toBe('store_full')
  expect(book.take([counted({ max_uses: 3 })], 0)).toBe('taken')
  book.revoke(counted({ jti: '2' }))
  expect(book.take([counted({ jti: '2', max_uses: null })], 0)).toBe('revoked')
})

test('a book that is written and read again anywhere answers as one that never was', () => {
  const use = fc.record({
    jti: fc.constantFrom('1', '2', '3'),
    exp: fc.integer({ min: 0, max: 20 }),
    max_uses: fc.option(fc.integer({ min: 1, max: 3 })),
  })
  const step = fc.record({ uses: fc.array(use, { maxLength: 3 }), now: fc.nat(20), revoke: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const one = new GrantBook(undefined, 2)
      let other = new GrantBook(undefined, 2)
      for (const { uses, now, revoke } of steps) {
        const all = uses.map((each) => counted(each))
        const [first] = all
        if (revoke && first !== undefined) for (const book of [one, other]) book.revoke(first)
        expect(other.take(all, now)).toBe(one.take(all, now))
        other = new GrantBook(other.pages(), 2)
      }
    }),
  )
})

test('UAR-14: no interleaving and no clock lets a grant be used more often than it says', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ now: fc.nat(30), other: fc.nat(5) }), { maxLength: 30 }), (steps) => {
      const book = new GrantBook(undefined, 2)
      const single = counted({ exp: 15, max_uses: 1 })
      const taken = steps.filter(({ now, other }) => {
        book.take([counted({ jti: `other-${other}`, exp: other * 5 })], now)
        return book.take([single], now) === 'taken'
      })
      return taken.length <= 1
    }),
  )
})
