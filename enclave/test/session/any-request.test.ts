import { type HttpRequest, parseCanonicalJson, utf8, verifyRefusal } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CEILING, consentedPair, good, pairOf } from './participant.js'
import { CONTRACT, testRelay } from './test-relay.js'

const ID = 'a'.repeat(64)
const path = fc.oneof(
  fc.constantFrom(
    '/v1/sessions',
    '/v1/invites',
    '/v1/inbox/0',
    ...['join', 'offer', 'consent', 'input', 'cancel', 'decline', 'result'].map(
      (name) => `/v1/sessions/${ID}/${name}`,
    ),
  ),
  fc.webPath(),
  fc.string({ maxLength: 40 }),
)
const header = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      'signature',
      'signature-input',
      'content-digest',
      'date',
      'parley-enc',
      'parley-seq',
      'prefer',
    ),
    fc.string({ maxLength: 12 }),
  ),
  fc.string({ maxLength: 60 }),
)
const request: fc.Arbitrary<HttpRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'TRACE', 'CONNECT', 'get', ''),
  scheme: fc.constantFrom('https', 'http'),
  authority: fc.constantFrom('relay', ''),
  path,
  headers: fc.array(header, { maxLength: 12 }),
  content: fc.uint8Array({ maxLength: 64 }),
})

const json = fc.jsonValue({ maxDepth: 4 })

describe('whatever a request is', () => {
  it('an unsigned one is answered with a signed refusal', async () => {
    const { sessions, deps } = testRelay()
    await fc.assert(
      fc.asyncProperty(request, async (any) => {
        const encapsulation = 'e'.repeat(64)
        const { status, content } = await sessions.handle(any, { enc: new Uint8Array(32), encapsulation })
        const refusal = verifyRefusal(parseCanonicalJson(content), deps.keys.receiptKey.publicKey)
        expect(['route_unknown', 'http_signature_invalid', 'request_malformed']).toContain(refusal.code)
        expect(status).toBeGreaterThanOrEqual(400)
      }),
    )
  })

  it('a signed body of any JSON is refused with a closed code, and the session stays usable', async () => {
    const relay = testRelay()
    const { buyer } = await consentedPair(relay, CONTRACT)
    const route = fc.constantFrom('join', 'consent', 'input', 'cancel')
    await fc.assert(
      fc.asyncProperty(route, json, async (name, body) => {
        const content = utf8(JSON.stringify(body))
        // The one body that is right.
        fc.pre(name !== 'cancel' || JSON.stringify(body) !== '{}')
        const reply = await buyer.send('POST', buyer.path(name), undefined, { content })
        expect(verifyRefusal(reply.body, relay.deps.keys.receiptKey.publicKey).code).toBe('request_malformed')
      }),
      {
        examples: [
          ['join', { __proto__: null }],
          ['input', []],
        ],
      },
    )
    good(await buyer.input(CEILING))
  })

  it('no exception of any kind is told', async () => {
    const relay = testRelay({ random: (size) => (size === 32 ? fail() : new Uint8Array(size)) })
    const { buyer } = pairOf(relay)
    const reply = await buyer.create(CONTRACT, null)
    buyer.refused(reply, 'relay_failed', null)
    expect(JSON.stringify([reply, relay.logged])).not.toContain('canary')
  })
})

const fail = (): never => {
  throw new Error('canary')
}
