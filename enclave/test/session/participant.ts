import { randomBytes } from 'node:crypto'
import {
  canonicalBytes,
  type Consent,
  contentDigest,
  type Contract,
  contractHash,
  COVERED_COMPONENTS,
  type Created,
  formatDid,
  generateSigningKey,
  type HeaderField,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  type LedgerClaim,
  type LedgerEntry,
  type Offered,
  offerDigest,
  parseAccepted,
  parseCanonicalJson,
  parseCreated,
  parseOffered,
  parseResult,
  type Refusal,
  type RefusalCode,
  type Result,
  type Role,
  sha256,
  SIGNATURE_TAG,
  type SigningKey,
  signConsent,
  signLedgerClaim,
  signRequest,
  toBase64url,
  toHex,
  verifyRefusal,
} from '@parley/protocol'
import { expect } from 'vitest'
import type { TestRelay } from './test-relay.js'

/** An answer as its asker sees it, and the size class that the host sees. */
export type Reply = {
  readonly status: number
  readonly body: JsonValue
  readonly padTo: number
  readonly encapsulation: string
}

/** What a test may say otherwise than an honest participant would. */
export type Twist = {
  readonly seq?: number
  readonly role?: Role
  readonly session?: string
  readonly offer?: string
  readonly date?: string
  readonly created?: number
  readonly keyId?: string
  readonly components?: readonly string[]
  readonly tag?: string
  readonly content?: Uint8Array
  readonly headers?: readonly HeaderField[]
  readonly enc?: Uint8Array
  readonly scheme?: string
  readonly authority?: string
  readonly prefer?: string
  /** Changes the request after it was signed. */
  readonly tamper?: (request: HttpRequest) => HttpRequest
}

const nonce = (): string => toBase64url(new Uint8Array(randomBytes(32)))

/** Who is invited: one for a contract of two, or all the others in order. */
export type Invited = string | null | readonly (string | null)[]

const listed = (invited: Invited): (string | null)[] =>
  typeof invited === 'string' || invited === null ? [invited] : [...invited]

/** One party's agent, as small as a test needs it. It remembers its numbers, its offer and its ledger head. */
export class Participant {
  readonly key: SigningKey
  readonly did: string
  readonly #relay: TestRelay
  readonly role: Role
  tag = 'secret-1'
  limit = 1_000_000
  head: LedgerEntry | null = null
  session: string | null = null
  offered: Offered | null = null
  salt = nonce()
  seq = 0

  constructor(relay: TestRelay, role: Role, key = generateSigningKey()) {
    this.#relay = relay
    this.role = role
    this.key = key
    this.did = formatDid({ namespace: 'self', kind: 'agent', publicKey: key.publicKey })
  }

  get offer(): string {
    return this.offered?.offer ? offerDigest(this.offered.offer) : 'none'
  }

  claim(more: Partial<LedgerClaim> = {}, by = this.key): LedgerClaim {
    const unsigned = {
      version: 'parley-ledger-claim-v1' as const,
      owner: this.did,
      tag: this.tag,
      limit_millibits: this.limit,
      head: this.head,
      nonce: nonce(),
      ...more,
    }
    return signLedgerClaim(this.#relay.lane, unsigned, by)
  }

  async send(method: string, path: string, body?: JsonObject, twist: Twist = {}): Promise<Reply> {
    const enc = new Uint8Array(randomBytes(32))
    const encapsulation = randomBytes(32).toString('hex')
    const request = this.request(method, path, body, { enc, ...twist })
    const response = await this.#relay.sessions.handle(request, { enc, encapsulation })
    expect(response.headers).toEqual([['content-type', 'application/json']])
    expect(response.padTo).toBeGreaterThan(response.content.length + 100)
    return {
      status: response.status,
      body: parseCanonicalJson(response.content),
      padTo: response.padTo,
      encapsulation,
    }
  }

  request(method: string, path: string, body: JsonObject | undefined, twist: Twist): HttpRequest {
    const content = twist.content ?? (body === undefined ? new Uint8Array(0) : canonicalBytes(body))
    const now = this.#relay.clock.nowSeconds()
    const headers: HeaderField[] = [
      ...(method === 'POST' ? [['content-type', 'application/json'] as const] : []),
      ...(twist.prefer === undefined ? [] : [['prefer', twist.prefer] as const]),
      ['content-digest', contentDigest(content)],
      ['date', twist.date ?? new Date(now * 1000).toUTCString()],
      ['parley-session', twist.session ?? this.session ?? 'none'],
      ['parley-role', twist.role ?? this.role],
      ['parley-seq', String(twist.seq ?? this.seq++)],
      ['parley-offer', twist.offer ?? this.offer],
      ['parley-enc', toHex(sha256(twist.enc ?? new Uint8Array(0)))],
    ]
    const replaced = new Set(twist.headers?.map(([name]) => name))
    const request: HttpRequest = {
      method,
      scheme: twist.scheme ?? 'https',
      authority: twist.authority ?? 'relay',
      path,
      headers: [
        ...headers.filter(([name]) => !replaced.has(name)),
        ...(twist.headers ?? []).filter(([, value]) => value !== ''),
      ],
      content,
    }
    const signed = signRequest(request, {
      key: this.key,
      keyId: twist.keyId ?? this.did,
      created: twist.created ?? now,
      tag: twist.tag ?? SIGNATURE_TAG,
      components: twist.components ?? COVERED_COMPONENTS,
    })
    return twist.tamper?.(signed) ?? signed
  }

  path(name: string): string {
    return `/v1/sessions/${this.session ?? ''}/${name}`
  }

  create(contract: Contract, invited: Invited, more: JsonObject = {}, twist: Twist = {}): Promise<Reply> {
    const claim = this.claim()
    const body = { contract, invited: listed(invited), nonce: claim.nonce, ledger: claim, ...more }
    return this.send('POST', '/v1/sessions', body, { session: 'none', offer: 'none', ...twist })
  }

  async created(contract: Contract, invited: Invited, more: JsonObject = {}): Promise<Created> {
    const created = parseCreated(good(await this.create(contract, invited, more), 201))
    this.session = created.session_id
    this.offered = null
    return created
  }

  join(contract: Contract, more: JsonObject = {}, twist: Twist = {}): Promise<Reply> {
    const claim = this.claim()
    const body = { contract_hash: contractHash(contract), nonce: claim.nonce, ledger: claim, ...more }
    return this.send('POST', this.path('join'), body, { offer: 'none', ...twist })
  }

  hold(offered: Offered): Offered {
    this.offered = offered
    this.head = offered.ledger_entry
    return offered
  }

  async joined(contract: Contract): Promise<Offered> {
    return this.hold(parseOffered(good(await this.join(contract))))
  }

  async fetchedOffer(): Promise<Offered> {
    return this.hold(parseOffered(good(await this.send('GET', this.path('offer')))))
  }

  consentTo(more: Partial<Omit<Consent, 'version' | 'signature'>> = {}, by = this.key): Consent {
    return signConsent({ lane: this.#relay.lane, role: this.role, offer_digest: this.offer, ...more }, by)
  }

  consent(consent: Consent = this.consentTo(), twist: Twist = {}): Promise<Reply> {
    return this.send('POST', this.path('consent'), { consent }, twist)
  }

  input(input: JsonValue, twist: Twist = {}): Promise<Reply> {
    return this.send('POST', this.path('input'), { input, salt: this.salt }, twist)
  }

  cancel(twist: Twist = {}): Promise<Reply> {
    return this.send('POST', this.path('cancel'), {}, twist)
  }

  result(twist: Twist = {}): Promise<Reply> {
    return this.#relay.wait(this.send('GET', this.path('result'), undefined, twist))
  }

  async bundle(): Promise<NonNullable<Result['bundle']>> {
    const { bundle } = parseResult(good(await this.result({ prefer: 'wait=30' })))
    if (bundle === null) throw new Error('no bundle yet')
    return bundle
  }

  /** The signed refusal that a reply must be. */
  refused(reply: Reply, code: RefusalCode, detail?: string | null): Refusal {
    const refusal = verifyRefusal(reply.body, this.#relay.deps.keys.receiptKey.publicKey)
    expect(refusal.code).toBe(code)
    expect(refusal.encapsulation).toBe(reply.encapsulation)
    expect(refusal.keyset_digest).toBe(this.#relay.deps.keys.keysetDigest)
    expect(reply.padTo).toBe(4096)
    if (detail !== undefined) expect(refusal.detail).toBe(detail)
    return refusal
  }
}

export function good(reply: Reply, status = 200): JsonValue {
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status })
  return reply.body
}

/** Two participants, up to the point at which a test wants to go on alone. */
export type Pair = { readonly buyer: Participant; readonly seller: Participant }

export function pairOf(relay: TestRelay): Pair {
  return { buyer: new Participant(relay, 'initiator'), seller: new Participant(relay, 'responder') }
}

export async function offeredPair(relay: TestRelay, contract: Contract, pair = pairOf(relay)): Promise<Pair> {
  const { buyer, seller } = pair
  await buyer.created(contract, seller.did)
  seller.session = buyer.session
  await seller.joined(contract)
  await buyer.fetchedOffer()
  return pair
}

export async function consentedPair(
  relay: TestRelay,
  contract: Contract,
  pair = pairOf(relay),
): Promise<Pair> {
  await offeredPair(relay, contract, pair)
  parseAccepted(good(await pair.buyer.consent()))
  parseAccepted(good(await pair.seller.consent()))
  return pair
}

export const CEILING = { ceiling: 1_200_000, currency: 'EUR' }
export const FLOOR = { floor: 1_000_000, currency: 'EUR' }

export async function submittedPair(
  relay: TestRelay,
  contract: Contract,
  inputs: readonly [JsonValue, JsonValue] = [CEILING, FLOOR],
  pair = pairOf(relay),
): Promise<Pair> {
  await consentedPair(relay, contract, pair)
  expect(parseAccepted(good(await pair.buyer.input(inputs[0]))).state).toBe('PARTIAL')
  expect(parseAccepted(good(await pair.seller.input(inputs[1]))).state).toBe('PROCESSING')
  return pair
}
