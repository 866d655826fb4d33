import fc from 'fast-check'
import { expect, it } from 'vitest'
import { median, quantile } from '../src/quantile.js'

const values = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 50 })

it('a quantile is one of the values, between the least and the greatest', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const one = quantile(list, share)
      return list.includes(one) && one >= Math.min(...list) && one <= Math.max(...list)
    }),
  )
})

it('the median of an odd number of values has as many below as above', () => {
  expect(median([5, 1, 3])).toBe(3)
  expect(median([2])).toBe(2)
})

it('the values are left in their order', () => {
  const list = [3, 1, 2]
  quantile(list, 0.5)
  expect(list).toEqual([3, 1, 2])
})

it('of no values there is none', () => {
  expect(median([])).toBeNaN()
})
