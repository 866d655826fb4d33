import {
  contentDigest,
  COVERED_COMPONENTS,
  type Ed25519PublicKey,
  formatDid,
  generateSigningKey,
  type HttpRequest,
  utf8,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { consentedPair, FLOOR, good, offeredPair, Participant, pairOf, type Twist } from './participant.js'
import { CONTRACT, testRelay } from './test-relay.js'

const withHeader =
  (name: string, change: (value: string) => string) =>
  (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: request.headers.map(
      ([known, value]) => [known, known === name ? change(value) : value] as const,
    ),
  })

const without =
  (name: string) =>
  (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: request.headers.filter(([known]) => known !== name),
  })

const twice =
  (name: string) =>
  (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: [...request.headers, ...request.headers.filter(([known]) => known === name)],
  })

const flipped = (text: string): string =>
  text.slice(0, -3) + (text.at(-3) === 'A' ? 'B' : 'A') + text.slice(-2)

describe('an inner request is refused as http_signature_invalid where', () => {
  const stranger = generateSigningKey()
  const strangerDid = formatDid({ namespace: 'self', kind: 'agent', publicKey: stranger.publicKey })
  // The neutral element: it would verify messages that nobody signed.
  const neutral = Uint8Array.of(1, ...new Uint8Array(31)) as Ed25519PublicKey
  const smallOrderDid = formatDid({ namespace: 'self', kind: 'agent', publicKey: neutral })
  it.each<[string, Twist]>([
    ['its signature is another', { tamper: withHeader('signature', flipped) }],
    ['its signature is missing', { tamper: without('signature') }],
    ['its signature input is missing', { tamper: without('signature-input') }],
    ['it has two signatures', { tamper: twice('signature') }],
    ['its key is another', { keyId: strangerDid }],
    ['its key id is no DID', { keyId: 'mallory' }],
    ['its key is of small order', { keyId: smallOrderDid }],
    ['its tag is another', { tag: 'parley-v2' }],
    [
      'a component is not covered',
      { components: COVERED_COMPONENTS.filter((name) => name !== 'parley-offer') },
    ],
    ['components stand in another order', { components: [...COVERED_COMPONENTS].reverse() }],
    ['another component is covered too', { components: [...COVERED_COMPONENTS, 'content-type'] }],
    [
      'its content is not the one of its digest',
      { tamper: (request) => ({ ...request, content: utf8('{}') }) },
    ],
    [
      'content and digest were replaced together',
      {
        tamper: (request) => ({
          ...withHeader('content-digest', () => contentDigest(utf8('{}')))(request),
          content: utf8('{}'),
        }),
      },
    ],
    [
      'its method was changed',
      { tamper: (request) => ({ ...request, path: request.path.replace('input', 'cancel') }) },
    ],
    ['its session was changed', { tamper: withHeader('parley-session', () => 'a'.repeat(64)) }],
    ['its role was changed', { tamper: withHeader('parley-role', () => 'initiator') }],
    ['its number was changed', { tamper: withHeader('parley-seq', () => '99') }],
    ['its offer was changed', { tamper: withHeader('parley-offer', () => 'none') }],
    ['its date was changed', { tamper: withHeader('date', () => new Date(0).toUTCString()) }],
    ['a covered field stands twice', { tamper: twice('parley-seq') }],
    ['a covered field is missing', { tamper: without('parley-enc') }],
  ])('%s', async (_, twist) => {
    const { seller } = await consentedPair(testRelay(), CONTRACT)
    seller.refused(await seller.input(FLOOR, twist), 'http_signature_invalid')
    good(await seller.input(FLOOR))
  })

  it('it was signed for another encapsulation', async () => {
    const { seller } = await consentedPair(testRelay(), CONTRACT)
    const headers = [['parley-enc', 'a'.repeat(64)] as const]
    seller.refused(await seller.input(FLOOR, { headers }), 'http_signature_invalid')
    seller.refused(await seller.input(FLOOR, { headers: [['parley-enc', 'none']] }), 'http_signature_invalid')
  })
})

describe('an inner request is refused as request_malformed where', () => {
  it.each<[string, string, string]>([
    ['parley-role', 'verifier', 'parley-role'],
    ['parley-seq', '01', 'parley-seq'],
    ['parley-seq', '-1', 'parley-seq'],
    ['parley-seq', '1e3', 'parley-seq'],
    ['parley-seq', '9007199254740992', 'parley-seq'],
    ['parley-session', 'None', 'parley-session or parley-offer'],
    ['parley-session', 'A'.repeat(64), 'parley-session or parley-offer'],
    ['parley-session', 'a'.repeat(63), 'parley-session or parley-offer'],
    ['parley-session', 'b'.repeat(64), 'parley-session'],
    ['parley-session', 'none', 'parley-session'],
    ['parley-offer', '0', 'parley-session or parley-offer'],
    ['date', '2027-01-15T08:00:00Z', 'date'],
    ['date', 'yesterday', 'date'],
    ['content-type', 'text/plain', 'content-type'],
    ['content-type', '', 'content-type'],
  ])('%s is %j', async (name, value, detail) => {
    const { seller } = await consentedPair(testRelay(), CONTRACT)
    seller.refused(await seller.input(FLOOR, { headers: [[name, value]] }), 'request_malformed', detail)
    good(await seller.input(FLOOR))
  })

  it.each<[string, string]>([
    ['is empty', ''],
    ['is not JSON', '{'],
    ['is not canonical', '{"input":1, "salt":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}'],
    ['names a member twice', '{"input":1,"input":1,"salt":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}'],
    ['has an unknown member', '{"extra":1,"input":1,"salt":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}'],
    ['has a salt of 31 octets', '{"input":1,"salt":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}'],
    ['lacks a member', '{"input":1}'],
    ['is an array', '[]'],
    ['begins with a byte order mark', '\ufeff{}'],
  ])('its body %s', async (_, text) => {
    const { seller } = await consentedPair(testRelay(), CONTRACT)
    seller.refused(await seller.input(null, { content: utf8(text) }), 'request_malformed')
    good(await seller.input(FLOOR))
  })
})

describe('the date window', () => {
  it.each([301, -301, 86_400])('%d seconds off is refused as date_out_of_window', async (off) => {
    const relay = testRelay()
    const { seller } = await consentedPair(relay, CONTRACT)
    const time = relay.clock.nowSeconds() + off
    const date = new Date(time * 1000).toUTCString()
    seller.refused(await seller.input(FLOOR, { date }), 'date_out_of_window', null)
    seller.refused(await seller.input(FLOOR, { created: time }), 'date_out_of_window', null)
  })

  it.each([300, -300])('%d seconds off is within it', async (off) => {
    const relay = testRelay()
    const { seller } = await consentedPair(relay, CONTRACT)
    const created = relay.clock.nowSeconds() + off
    good(await seller.input(FLOOR, { created, date: new Date(created * 1000).toUTCString() }))
  })
})

describe('who has no part in a session', () => {
  it('gets the same answer as for a session that does not exist', async () => {
    const relay = testRelay()
    const { buyer } = await offeredPair(relay, CONTRACT)
    for (const role of ['initiator', 'responder'] as const) {
      const stranger = new Participant(relay, role)
      for (const session of [buyer.session, 'e'.repeat(64)]) {
        stranger.session = session
        stranger.refused(await stranger.send('GET', stranger.path('offer')), 'session_unknown', null)
        stranger.refused(await stranger.send('GET', stranger.path('result')), 'session_unknown', null)
        stranger.refused(await stranger.input(FLOOR), 'session_unknown', null)
        stranger.refused(await stranger.cancel(), 'session_unknown', null)
        stranger.refused(await stranger.join(CONTRACT), 'session_unknown', null)
      }
    }
  })

  it('is somebody whose key is a participant under another name', async () => {
    const relay = testRelay()
    const { buyer } = await offeredPair(relay, CONTRACT)
    const keyId = buyer.did.replace(':agent:', ':service:')
    buyer.refused(await buyer.send('GET', buyer.path('offer'), undefined, { keyId }), 'session_unknown')
  })
})

describe('role and number', () => {
  it('another role than its own is refused as role_refused', async () => {
    const { buyer, seller } = await consentedPair(testRelay(), CONTRACT)
    seller.refused(await seller.input(FLOOR, { role: 'initiator' }), 'role_refused')
    buyer.refused(await buyer.result({ role: 'responder' }), 'role_refused')
    good(await seller.input(FLOOR))
  })

  it('a number that does not grow is refused as sequence_replayed', async () => {
    const { seller } = await consentedPair(testRelay(), CONTRACT)
    for (const seq of [0, seller.seq - 1])
      seller.refused(await seller.input(FLOOR, { seq }), 'sequence_replayed', null)
    good(await seller.input(FLOOR))
  })

  it('numbers may leave gaps, and are counted for each participant', async () => {
    const { buyer, seller } = await consentedPair(testRelay(), CONTRACT)
    good(await seller.input(FLOOR, { seq: 1_000_000 }))
    seller.refused(await seller.cancel({ seq: 999_999 }), 'sequence_replayed')
    good(await buyer.send('GET', buyer.path('offer')))
  })

  it('a request whose signature fails uses up no number', async () => {
    const relay = testRelay()
    const { seller } = await consentedPair(relay, CONTRACT)
    const forged = { seq: 5000, tamper: withHeader('signature', flipped) }
    seller.refused(await seller.input(FLOOR, forged), 'http_signature_invalid')
    good(await seller.input(FLOOR))
  })

  it('two participants of one relay have numbers of their own in each session', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await offeredPair(relay, CONTRACT, { buyer, seller })
    buyer.seq = 0
    await buyer.created(CONTRACT, seller.did)
    buyer.seq = 0
    good(await buyer.send('GET', buyer.path('offer'), undefined, { offer: 'none' }))
  })
})

describe('the offer under which a participant acts', () => {
  it('another digest is refused as offer_stale on every route', async () => {
    const { buyer, seller } = await consentedPair(testRelay(), CONTRACT)
    const offer = 'd'.repeat(64)
    seller.refused(await seller.input(FLOOR, { offer }), 'offer_stale')
    seller.refused(await seller.consent(undefined, { offer }), 'offer_stale')
    seller.refused(await seller.cancel({ offer }), 'offer_stale')
    buyer.refused(await buyer.result({ offer }), 'offer_stale')
    good(await seller.input(FLOOR))
  })

  it('none is refused as offer_stale where something is agreed to', async () => {
    const { seller } = await consentedPair(testRelay(), CONTRACT)
    seller.refused(await seller.input(FLOOR, { offer: 'none' }), 'offer_stale')
    seller.refused(await seller.consent(undefined, { offer: 'none' }), 'offer_stale')
    good(await seller.send('GET', seller.path('offer'), undefined, { offer: 'none' }))
  })
})

describe('COVERED_COMPONENTS', () => {
  it('is the list of SPEC §10', () => {
    expect(COVERED_COMPONENTS.join(' ')).toBe(
      '@method @path @query content-digest date parley-session parley-role parley-seq parley-offer parley-enc',
    )
  })
})
