import { utf8 } from '@parley/protocol'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { bearerOf, type Call, readMembers } from '../../src/agentvault-api/call.js'

const call = (body: Uint8Array | undefined, contentType?: string): Call => ({
  bearer: undefined,
  contentType,
  body,
  query: new URLSearchParams(),
  lastEventId: undefined,
})

const ROLE = v.strictObject({ role: v.string() })

test('a bearer token is what stands after the scheme', () => {
  expect(bearerOf('Bearer abc')).toBe('abc')
})

test.each([
  undefined,
  '',
  'abc',
  'Basic abc',
  'bearer abc',
  'Bearer ',
  'Bearer a b',
  'Bearer é',
  `Bearer ${'x'.repeat(513)}`,
])('in %j there is no bearer token', (field) => {
  expect(bearerOf(field)).toBeUndefined()
})

test.each([
  ['no body', call(undefined, 'application/json'), 'too_large'],
  ['no type', call(utf8('{}')), 'type_refused'],
  ['another type', call(utf8('{}'), 'application/jsonp'), 'type_refused'],
  ['no JSON', call(utf8('{'), 'application/json'), 'request_malformed'],
  ['no UTF-8', call(new Uint8Array([0x22, 0xff, 0x22]), 'application/json'), 'request_malformed'],
  ['a missing member', call(utf8('{}'), 'application/json'), 'members_refused'],
  ['a member too many', call(utf8('{"role":"a","canary":1}'), 'application/json'), 'members_refused'],
])('a request with %s is refused', (_, asked, refused) => {
  expect(readMembers(asked, ROLE)).toMatchObject({ refused })
})

test('any octets are read or refused, and never thrown at', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(utf8)), (body) => {
      const read = readMembers(call(body, 'application/json'), ROLE)
      expect('refused' in read || typeof read.read.role === 'string').toBe(true)
    }),
  )
})
