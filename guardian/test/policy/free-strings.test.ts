import type { JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { freeStrings, hasFreeStrings } from '../../src/policy/free-strings.js'
import type { Shape } from '../../src/schema/shape.js'
import { free, list, listed, object, union } from './shapes.js'

const integer: Shape = { kind: 'integer', at: '', lowest: 0, highest: 9, step: 1, whole: true }
const any: Shape = { kind: 'any', at: '' }

describe('a string that its schema leaves free is found', () => {
  test.each<[string, Shape, JsonValue, readonly string[]]>([
    ['alone', free, 'x', ['x']],
    ['in an object', object({ a: free, b: listed('L') }), { a: 'x', b: 'L' }, ['x']],
    ['in a list', list([], free), ['x', 'y'], ['x', 'y']],
    ['in the prefix of a list', list([listed('L'), free], integer), ['L', 'x', 1], ['x']],
    ['behind the prefix of a list', list([listed('L')], free), ['L', 'x'], ['x']],
    ['deep inside', object({ a: list([], object({ b: free })) }), { a: [{ b: 'x' }] }, ['x']],
    ['in the branch that it is of', union(listed('L'), object({ a: free })), { a: 'x' }, ['x']],
    ['where a schema says nothing', any, { a: ['x', { b: 'y' }], c: 1 }, ['x', 'y']],
  ])('%s', (_, shape, value, found) => {
    expect(freeStrings(shape, value)).toEqual(found)
    expect(hasFreeStrings(shape)).toBe(true)
  })
})

describe('no string is found', () => {
  test.each<[string, Shape, JsonValue]>([
    ['that is listed', listed('L'), 'L'],
    ['in a number', integer, 1],
    ['in lists and objects of what is listed', object({ a: list([listed('L')], integer) }), { a: ['L', 1] }],
    ['in a branch of listed texts', union(listed('L'), integer), 'L'],
  ])('%s', (_, shape, value) => {
    expect(freeStrings(shape, value)).toEqual([])
    expect(hasFreeStrings(shape)).toBe(false)
  })

  test('in a listed branch beside a free one', () => {
    expect(freeStrings(union(listed('L'), list([], free)), 'L')).toEqual([])
  })

  test.each<[string, Shape, JsonValue]>([
    ['where a list is no list', list([], free), 'x'],
    ['where an object is no object', object({ a: free }), ['x']],
    ['in a member that is not declared', object({ a: free }), { b: 'x' }],
  ])('%s', (_, shape, value) => {
    expect(freeStrings(shape, value)).toEqual([])
  })
})

test('a shape that refers to one below it twice, again and again, is walked once', () => {
  let shape = listed('L')
  for (let level = 0; level < 60; level++) shape = object({ a: shape, b: shape })
  expect(hasFreeStrings(shape)).toBe(false)
})
