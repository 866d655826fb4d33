import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRequest, encodeResponse, parseRequest, parseResponse } from '../src/bhttp.js'
import { toHex, utf8 } from '../src/bytes.js'
import type { HttpRequest, HttpResponse } from '../src/http-message.js'
import { codeOf } from './code-of.js'

const request: HttpRequest = {
  method: 'POST',
  scheme: 'https',
  authority: 'relay',
  path: '/v1/sessions?a=b',
  headers: [['content-type', 'application/json']],
  content: utf8('{}'),
}
const response: HttpResponse = { status: 200, headers: [['date', 'now']], content: utf8('ok') }

const name = fc
  .string({ unit: fc.constantFrom(...Array.from('abz09-_')), minLength: 1, maxLength: 9 })
  .filter((text) => text !== 'te')
const value = fc
  .string({ unit: fc.constantFrom(...Array.from('aZ09 ,;="/~')), maxLength: 80 })
  .map((text) => text.trim())
const headers = fc.array(fc.tuple(name, value), { maxLength: 8 })
const content = fc.uint8Array({ maxLength: 300 })
const requests: fc.Arbitrary<HttpRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE', 'M-SEARCH'),
  scheme: fc.constantFrom('https', 'http', 'did+x'),
  authority: fc.constantFrom('', 'relay', 'a.test:8443', '[::1]'),
  path: fc
    .string({ unit: fc.constantFrom(...Array.from('ab/?=&%20')), maxLength: 90 })
    .map((text) => `/${text}`),
  headers,
  content,
})
const responses: fc.Arbitrary<HttpResponse> = fc.record({
  status: fc.integer({ min: 200, max: 599 }),
  headers,
  content,
})

describe('binary HTTP', () => {
  it('requests round-trip, with any padding', () => {
    fc.assert(
      fc.property(requests, fc.nat(70), (message, padding) => {
        const bytes = encodeRequest(message, (length) => length + padding)
        expect(bytes).toHaveLength(encodeRequest(message).length + padding)
        expect(parseRequest(bytes)).toEqual(message)
      }),
    )
  })

  it('padding that is not zero in one octet is refused, wherever it and the message begin', () => {
    const bare = encodeRequest(request).length
    for (let begin = 0; begin < 4; begin += 1)
      for (let padding = 1; padding < 12; padding += 1)
        for (let at = bare; at < bare + padding; at += 1) {
          const bytes = new Uint8Array(begin + bare + padding).subarray(begin)
          bytes.set(encodeRequest(request))
          expect(parseRequest(bytes)).toEqual(request)
          bytes[at] = 1
          expect(codeOf(() => parseRequest(bytes))).toBe('bhttp_malformed')
        }
  })

  it('responses round-trip, with any padding', () => {
    fc.assert(
      fc.property(responses, fc.nat(70), (message, padding) => {
        expect(parseResponse(encodeResponse(message, (length) => length + padding))).toEqual(message)
      }),
    )
  })

  it('any bytes are refused as bhttp_malformed, or are a message that can be encoded', () => {
    const near = fc.tuple(requests, fc.nat(), fc.nat(255)).map(([message, at, octet]) => {
      const bytes = encodeRequest(message)
      return bytes.map((old, i) => (i === at % bytes.length ? octet : old))
    })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), near), (bytes) => {
        for (const [parse, encode] of [
          [parseRequest, encodeRequest],
          [parseResponse, encodeResponse],
        ] as const) {
          const code = codeOf(() => encode(parse(bytes) as never))
          expect(['accepted', 'bhttp_malformed']).toContain(code)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('a request and a response cut anywhere are refused, unless only empty parts are lost', () => {
    for (const [bytes, parse] of [
      [encodeRequest(request), parseRequest],
      [encodeResponse(response), parseResponse],
    ] as const) {
      const accepted = Array.from(bytes, (_, length) =>
        codeOf(() => parse(bytes.subarray(0, length))),
      ).flatMap((code, length) => (code === 'accepted' ? [length] : []))
      // Before the field section, and between it and the content: RFC 9292 §3.8 cannot tell those from the whole.
      expect(accepted).toHaveLength(2)
    }
  })

  it('content is a view of the message, not a copy', () => {
    const bytes = encodeRequest(request)
    expect(parseRequest(bytes).content.buffer).toBe(bytes.buffer)
  })

  it('padTo as a number is the length of the message', () => {
    expect(encodeRequest(request, 4041)).toHaveLength(4041)
    expect(toHex(encodeResponse(response, 100).subarray(encodeResponse(response).length))).toMatch(/^(00)+$/)
    expect(codeOf(() => encodeRequest(request, 20))).toBe('too_large')
    expect(codeOf(() => encodeResponse(response, () => 0))).toBe('too_large')
  })

  it.each<[string, Partial<HttpRequest>]>([
    ['a method in lower case', { method: 'get' }],
    ['an empty method', { method: '' }],
    ['a method with a space', { method: 'GET /' }],
    ['an empty scheme', { scheme: '' }],
    ['a scheme in upper case', { scheme: 'HTTPS' }],
    ['an authority with a user', { authority: 'user@relay' }],
    ['an authority with a slash', { authority: 'relay/x' }],
    ['an empty path', { path: '' }],
    ['a path without a slash', { path: 'x' }],
    ['an asterisk', { path: '*' }],
    ['a fragment', { path: '/#x' }],
    ['a space in the path', { path: '/a b' }],
    ['a backslash in the path', { path: '/a\\b' }],
    ['a path beyond ASCII', { path: '/é' }],
    ['a lone surrogate in the path', { path: '/\ud800' }],
    ['a name in upper case', { headers: [['Date', 'x']] }],
    ['a pseudo-header field', { headers: [[':method', 'GET']] }],
    ['an empty name', { headers: [['', 'x']] }],
    ['a space in a name', { headers: [['a b', 'x']] }],
    ['a line break in a value', { headers: [['a', 'x\ny']] }],
    ['a zero octet in a value', { headers: [['a', 'x\0y']] }],
    ['a space before a value', { headers: [['a', ' x']] }],
    ['a space after a value', { headers: [['a', 'x ']] }],
    ['a value beyond ASCII', { headers: [['a', 'é']] }],
    ['a connection field', { headers: [['transfer-encoding', 'chunked']] }],
    ['129 fields', { headers: Array.from({ length: 129 }, () => ['a', 'x'] as const) }],
  ])('%s is not encoded', (_, changed) => {
    expect(codeOf(() => encodeRequest({ ...request, ...changed }))).toBe('bhttp_malformed')
  })

  it.each([100, 199, 600, 99, 200.5, NaN])('the status %d is not encoded', (status) => {
    expect(codeOf(() => encodeResponse({ ...response, status }))).toBe('bhttp_malformed')
  })

  it('a value of 8 KiB is checked in one pass', () => {
    const long = { ...request, headers: [['a', `${'x '.repeat(4096)}\u0000`] as const] }
    expect(codeOf(() => encodeRequest(long))).toBe('bhttp_malformed')
  })
})
