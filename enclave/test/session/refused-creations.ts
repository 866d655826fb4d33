import { randomBytes } from 'node:crypto'
import {
  canonicalBytes,
  contentDigest,
  COVERED_COMPONENTS,
  formatDid,
  generateSigningKey,
  type JsonValue,
  parseCanonicalJson,
  sha256,
  SIGNATURE_TAG,
  signLedgerClaim,
  signRequest,
  toBase64url,
  toHex,
  utf8,
  verifyRefusal,
} from '@parley/protocol'
import { CONTRACT, testRelay } from './test-relay.js'

// A program of its own, so that its heap may be bounded: one participant, whose creations are all refused, each with
// an output schema that was never seen before. Half are over the limit; half are just under it, and have no budget.

const relay = testRelay()
const key = generateSigningKey()
const did = formatDid({ namespace: 'self', kind: 'agent', publicKey: key.publicKey })
const text = (size: number): string => toBase64url(new Uint8Array(randomBytes(size)))

const json = (value: JsonValue): string => new TextDecoder().decode(canonicalBytes(value))

const CONST = 100_000
const contractOf = (members: number): string => {
  const names = Array.from({ length: members }, (_, index) => `p${index.toString(36)}`)
  const properties = Object.fromEntries(names.map((name) => [name, { const: CONST }]))
  const output_schema = { type: 'object', properties, required: names.slice(8), additionalProperties: false }
  const { output_schema_hash: _, ...rest } = CONTRACT
  return json({ ...rest, entropy_enforcement: 'Advisory', output_schema })
}

const create = (contract: string, seq: number) => {
  const nonce = text(32)
  const version = 'parley-ledger-claim-v1' as const
  const unsigned = { version, owner: did, tag: 'x', limit_millibits: 1, head: null, nonce }
  const ledger = json(signLedgerClaim(relay.lane, unsigned, key))
  const content = utf8(`{"contract":${contract},"invited":[null],"ledger":${ledger},"nonce":"${nonce}"}`)
  const enc = new Uint8Array(randomBytes(32))
  const now = relay.clock.nowSeconds()
  const headers = [
    ['content-type', 'application/json'],
    ['content-digest', contentDigest(content)],
    ['date', new Date(now * 1000).toUTCString()],
    ['parley-session', 'none'],
    ['parley-role', 'initiator'],
    ['parley-seq', String(seq)],
    ['parley-offer', 'none'],
    ['parley-enc', toHex(sha256(enc))],
  ] as const
  const request = {
    method: 'POST',
    scheme: 'https',
    authority: 'relay',
    path: '/v1/sessions',
    headers,
    content,
  }
  const terms = { key, keyId: did, created: now, tag: SIGNATURE_TAG, components: COVERED_COMPONENTS }
  return relay.sessions.handle(signRequest(request, terms), { enc, encapsulation: toHex(enc) })
}

const said: Record<string, number> = {}
const [over, under] = [contractOf(60_000), contractOf(2000)]
for (let turn = 0; turn < 300; turn++) {
  const contract = turn % 2 === 0 ? over : under
  const { content } = await create(contract.replaceAll(String(CONST), String(CONST + turn)), turn)
  const { code } = verifyRefusal(parseCanonicalJson(content), relay.deps.keys.receiptKey.publicKey)
  said[code] = (said[code] ?? 0) + 1
}
process.stdout.write(json(said))
