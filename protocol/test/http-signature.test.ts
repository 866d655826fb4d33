import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRequest, parseRequest } from '../src/bhttp.js'
import { utf8 } from '../src/bytes.js'
import { contentDigest } from '../src/content-digest.js'
import { generateSigningKey } from '../src/ed25519.js'
import type { HeaderField, HttpRequest } from '../src/http-message.js'
import { signRequest, verifyRequest } from '../src/http-signature.js'
import { codeOf } from './code-of.js'

const key = generateSigningKey()
const COMPONENTS = ['@method', '@path', '@query', 'content-digest', 'date', 'parley-session', 'parley-enc']
const content = utf8('{"input":1}')
const request: HttpRequest = {
  method: 'POST',
  scheme: 'https',
  authority: 'relay',
  path: '/v1/sessions?x=1',
  headers: [
    ['content-digest', contentDigest(content)],
    ['date', 'Mon, 30 Nov 2026 19:00:00 GMT'],
    ['parley-session', 's'],
    ['parley-enc', 'e'],
    ['accept', '*/*'],
  ],
  content,
}
const signing = {
  key,
  keyId: 'did:oas:self:agent:z1',
  created: 1_790_000_000,
  tag: 'parley-v1',
  components: COMPONENTS,
}
const signed = signRequest(request, signing)
const expected = {
  tag: 'parley-v1',
  components: COMPONENTS,
  lookup: (keyId: string) => (keyId === signing.keyId ? key.publicKey : undefined),
}
const verify = (changed: Partial<HttpRequest>, other: Partial<typeof expected> = {}) =>
  codeOf(() => verifyRequest({ ...signed, ...changed }, { ...expected, ...other }))
const withField = (name: string, change: (value: string) => string): { headers: HeaderField[] } => ({
  headers: signed.headers.map(([known, value]) => [known, known === name ? change(value) : value]),
})

describe('HTTP message signatures', () => {
  it('verify, across binary HTTP, and say who signed and when', () => {
    const received = parseRequest(encodeRequest(signed))
    expect(verifyRequest(received, expected)).toEqual({ keyId: signing.keyId, created: signing.created })
  })

  it('add two fields under the label parley and change nothing else', () => {
    expect(signed.headers.slice(0, request.headers.length)).toEqual(request.headers)
    expect(signed.headers.slice(request.headers.length).map(([name]) => name)).toEqual([
      'signature-input',
      'signature',
    ])
    expect(signed.headers.at(-2)?.[1]).toMatch(
      /^parley=\("@method" "@path" .*;created=1790000000;keyid="did:oas/,
    )
  })

  it('leave open what they do not cover', () => {
    expect(verify(withField('accept', () => 'text/html'))).toBe('accepted')
  })

  it.each([
    ['another method', { method: 'PUT' }],
    ['another path', { path: '/v1/session?x=1' }],
    ['another query', { path: '/v1/sessions?x=2' }],
    ['a query taken away', { path: '/v1/sessions' }],
    ['another date', withField('date', () => 'Mon, 30 Nov 2026 19:00:01 GMT')],
    ['another session', withField('parley-session', () => 't')],
    ['another encapsulation', withField('parley-enc', () => 'f')],
    ['other content', { content: utf8('{"input":2}') }],
    [
      'other content with its digest',
      { content: utf8('x'), ...withField('content-digest', () => contentDigest(utf8('x'))) },
    ],
    [
      'another time of signing',
      withField('signature-input', (value) => value.replace('1790000000', '1790000001')),
    ],
    ['another key id', withField('signature-input', (value) => value.replace('z1', 'z2'))],
    ['a signature of zeros', withField('signature', () => `parley=:${'A'.repeat(86)}==:`)],
    ['a short signature', withField('signature', () => 'parley=:AAAA:')],
  ])('%s is refused as http_signature_invalid', (_, changed) => {
    expect(verify(changed)).toBe('http_signature_invalid')
  })

  it.each([
    ['no signature', { headers: request.headers }],
    ['no signature-input', { headers: signed.headers.filter(([name]) => name !== 'signature-input') }],
    ['a second signature field', { headers: [...signed.headers, ['signature', 'x=:AAAA:'] as const] }],
    [
      'a second signature-input field',
      { headers: [...signed.headers, ['signature-input', 'x=()'] as const] },
    ],
    ['two signatures in one field', withField('signature', (value) => `${value}, ${value}`)],
    ['two inputs in one field', withField('signature-input', (value) => `${value}, ${value}`)],
    ['another label', withField('signature-input', (value) => value.replace('parley=', 'sig1='))],
    ['another label of the signature', withField('signature', (value) => value.replace('parley=', 'sig1='))],
    ['a component fewer', withField('signature-input', (value) => value.replace(' "parley-enc"', ''))],
    [
      'a component more',
      withField('signature-input', (value) => value.replace('"@method"', '"@method" "accept"')),
    ],
    [
      'components in another order',
      withField('signature-input', (value) => value.replace('"@path" "@query"', '"@query" "@path"')),
    ],
    ['another tag', withField('signature-input', (value) => value.replace('parley-v1', 'parley-v2'))],
    ['another algorithm', withField('signature-input', (value) => value.replace('ed25519', 'hmac-sha256'))],
    ['a signature that is no byte sequence', withField('signature', () => 'parley="AAAA"')],
    ['a signature without padding', withField('signature', (value) => value.replace('==', ''))],
    ['a covered field missing', { headers: signed.headers.filter(([name]) => name !== 'parley-enc') }],
    ['a covered field twice', { headers: [['parley-session', 's'] as const, ...signed.headers] }],
  ])('%s is refused as http_signature_malformed', (_, changed) => {
    expect(verify(changed)).toBe('http_signature_malformed')
  })

  it('another expectation of tag or components is refused as http_signature_malformed', () => {
    expect(verify({}, { tag: 'parley-v2' })).toBe('http_signature_malformed')
    expect(verify({}, { components: COMPONENTS.slice(1) })).toBe('http_signature_malformed')
    expect(verify({}, { components: [...COMPONENTS, 'accept'] })).toBe('http_signature_malformed')
  })

  it('a key that is unknown, or another, is refused as http_signature_invalid', () => {
    expect(verify({}, { lookup: () => undefined })).toBe('http_signature_invalid')
    expect(verify({}, { lookup: () => generateSigningKey().publicKey })).toBe('http_signature_invalid')
  })

  it('any octet of the two fields changed is refused', () => {
    const change = fc.tuple(
      fc.constantFrom('signature', 'signature-input'),
      fc.nat(),
      fc.constantFrom('A', '1', '"', ';', '=', ' '),
    )
    fc.assert(
      fc.property(change, ([name, position, character]) => {
        const changed = withField(name, (value) => {
          const at = position % value.length
          return value.slice(0, at) + character + value.slice(at + 1)
        })
        fc.pre(JSON.stringify(changed.headers) !== JSON.stringify(signed.headers))
        return ['http_signature_malformed', 'http_signature_invalid'].includes(verify(changed))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['signed already', signed, signing],
    ['without a covered field', { ...request, headers: [] }, signing],
    ['with a quote in the key id', request, { ...signing, keyId: '"' }],
    ['at no whole second', request, { ...signing, created: 0.5 }],
  ])('a request %s is not signed', (_, unsound, how) => {
    expect(codeOf(() => signRequest(unsound, how))).toBe('http_signature_malformed')
  })
})
