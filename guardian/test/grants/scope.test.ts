import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInScope, isWithinScope } from '../../src/index.js'

test.each([
  ['relay:session:join', ['relay:session:join'], true],
  ['relay:session:join', ['relay:*:join', 'tools:*:*'], true],
  ['relay:session:join', ['*:*:*'], true],
  ['relay:session:join', [], false],
  ['relay:session:join', ['relay:session:submit'], false],
  ['relay:session:join', ['relay:session'], false],
  ['relay:session:join', ['*:*:*', '!relay:session:*'], false],
  ['relay:session:join', ['!relay:session:submit'], false],
  ['relay:session:joined', ['relay:session:join'], false],
  ['Relay:session:join', ['relay:session:join'], false],
  ['relay:session:*', ['relay:session:*'], false],
  ['!relay:session:join', ['*:*:*'], false],
  ['relay:session:join:x', ['relay:session:join', '*:*:*'], false],
  ['', ['*:*:*'], false],
])('%s in %j: %j', (asked, scopes, expected) => {
  expect(isInScope(asked, scopes)).toBe(expected)
})

test.each([
  [['a:b:c'], ['a:b:c'], true],
  [['a:b:c'], ['a:*:c', 'x:y:z'], true],
  [['a:b:c'], ['*:*:*', '!a:b:d'], true],
  [['a:b:*', '!a:b:d'], ['a:b:*', '!a:b:d'], true],
  [['a:*:*', '!*:*:d'], ['a:*:*', '!a:b:d'], true],
  [['a:b:*'], ['a:b:c'], false],
  [['a:b:c', 'x:y:z'], ['a:b:c'], false],
  [['a:b:*'], ['a:b:*', '!a:b:d'], false],
  [['a:b:d'], ['a:b:*', '!a:b:d'], false],
  [['a:*:*', '!a:b:d'], ['a:*:*', '!a:*:d'], false],
  [['a:b:c'], [], false],
])('%j within %j: %j', (child, parent, expected) => {
  expect(isWithinScope(child, parent)).toBe(expected)
})

const part = fc.constantFrom('a', 'b', 'c')
const wild = fc.oneof(part, fc.constant('*'))
const scope = fc
  .tuple(fc.constantFrom('', '', '!'), wild, wild, wild)
  .map(([deny, ...parts]) => `${deny}${parts.join(':')}`)
const scopes = fc.array(scope, { minLength: 1, maxLength: 4 })

test('UAR-27: whatever a narrower set of scopes grants, the wider one grants', () => {
  fc.assert(
    fc.property(scopes, scopes, fc.tuple(part, part, part), (child, parent, parts) => {
      const asked = parts.join(':')
      return !isWithinScope(child, parent) || !isInScope(asked, child) || isInScope(asked, parent)
    }),
    { numRuns: 2000 },
  )
})

test('every set of scopes is within itself, and with one denial more still is', () => {
  fc.assert(
    fc.property(scopes, wild, (all, name) => {
      return isWithinScope(all, all) && isWithinScope([...all, `!${name}:*:*`], all)
    }),
  )
})
