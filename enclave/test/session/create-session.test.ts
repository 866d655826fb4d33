import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  canonicalBytes,
  type Contract,
  type JsonObject,
  parseCreated,
  signLedgerClaim,
  toHex,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { good, offeredPair, Participant, pairOf } from './participant.js'
import { CONTRACT, LIMITS, testRelay } from './test-relay.js'

const CONTRACT_BYTES = canonicalBytes(CONTRACT).length

const contractOfBytes = (bytes: number): Contract => {
  const { length } = canonicalBytes({ ...CONTRACT, metadata: '' })
  return { ...CONTRACT, metadata: 'x'.repeat(bytes - length) }
}

describe('the contracts of open sessions', () => {
  const bounded = () => pairOf(testRelay({ limits: { open_contract_bytes: 2 * CONTRACT_BYTES } })).buyer

  it('are bounded together: one more is refused as relay_overloaded', async () => {
    const buyer = bounded()
    for (let session = 0; session < 2; session++) await buyer.created(CONTRACT, null)
    buyer.refused(await buyer.create(CONTRACT, null), 'relay_overloaded')
  })

  it('leave room again when a session ends', async () => {
    const buyer = bounded()
    for (let session = 0; session < 2; session++) await buyer.created(CONTRACT, null)
    good(await buyer.cancel())
    await buyer.created(CONTRACT, null)
    buyer.refused(await buyer.create(CONTRACT, null), 'relay_overloaded')
  })

  it('that were refused leave nothing behind: 300 large ones fit a heap of 96 MiB', async () => {
    const program = fileURLToPath(new URL('refused-creations.ts', import.meta.url))
    const options = ['--max-old-space-size=96', '--conditions=source', '--import', 'tsx', program]
    const { stdout } = await promisify(execFile)(process.execPath, options)
    expect(JSON.parse(stdout)).toEqual({ contract_refused: 150, budget_exhausted: 150 })
  }, 900_000)
})

describe('a creation', () => {
  it('gives a session id of 32 octets and the end of the session', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    const { session_id, expires_at } = await buyer.created(CONTRACT, seller.did)
    expect(session_id).toMatch(/^[0-9a-f]{64}$/)
    expect(expires_at).toBe(relay.clock.nowSeconds() + LIMITS.session_ttl_seconds)
    expect(relay.audit.events).toMatchObject([{ event: 'session.created', fields: { session_id } }])
  })

  it.each<[string, Contract, number]>([
    ['shorter by its contract', { ...CONTRACT, session_ttl_secs: 60 }, 60],
    ['never longer', { ...CONTRACT, session_ttl_secs: 999_999 }, LIMITS.session_ttl_seconds],
  ])('lives %s', async (_, contract, seconds) => {
    const relay = testRelay()
    const { expires_at } = await pairOf(relay).buyer.created(contract, null)
    expect(expires_at).toBe(relay.clock.nowSeconds() + seconds)
  })

  it('never outlives the keyset', async () => {
    const relay = testRelay({ limits: { keyset_lifetime_seconds: 100 } })
    const { expires_at } = await pairOf(relay).buyer.created(CONTRACT, null)
    expect(expires_at).toBe(relay.deps.keys.keyset.not_after - 60)
  })

  it('is refused as keyset_expired where no receipt could be issued in time', async () => {
    const relay = testRelay({ limits: { keyset_lifetime_seconds: 100 } })
    const { buyer } = pairOf(relay)
    await relay.clock.advance(40_000)
    buyer.refused(await buyer.create(CONTRACT, null), 'keyset_expired')
  })

  it('by anybody but an initiator is refused as role_refused', async () => {
    const { buyer } = pairOf(testRelay())
    buyer.refused(await buyer.create(CONTRACT, null, {}, { role: 'responder' }), 'role_refused')
  })

  it('of a session with oneself, under whatever name, is refused as role_refused', async () => {
    const { buyer } = pairOf(testRelay())
    for (const responder of [buyer.did, buyer.did.replace(':agent:', ':tool:')])
      buyer.refused(await buyer.create(CONTRACT, responder), 'role_refused')
  })

  it('that names a session or an offer is refused as request_malformed', async () => {
    const { buyer } = pairOf(testRelay())
    buyer.refused(await buyer.create(CONTRACT, null, {}, { session: 'a'.repeat(64) }), 'request_malformed')
    buyer.refused(await buyer.create(CONTRACT, null, {}, { offer: 'a'.repeat(64) }), 'request_malformed')
  })

  it.each<[string, JsonObject]>([
    ['an unknown member', { extra: null }],
    ['an invitation that is no DID', { invited: ['bob'] }],
    ['an invitation too few', { invited: [] }],
    ['an invitation too many', { invited: [null, null] }],
    ['a nonce of 31 octets', { nonce: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['a claim that is not one', { ledger: {} }],
  ])('with %s is refused as request_malformed', async (_, more) => {
    const { buyer } = pairOf(testRelay())
    buyer.refused(await buyer.create(CONTRACT, null, more), 'request_malformed')
  })
})

describe('a contract is refused with its cause where', () => {
  const changed = (more: object): JsonObject => ({ ...CONTRACT, ...more })
  const withoutProgram = Object.fromEntries(Object.entries(CONTRACT).filter(([name]) => name !== 'program'))
  it.each<[string, JsonObject, string | RegExp]>([
    ['it has an unknown member', changed({ extra: 1 }), /^object_malformed contract: member extra/],
    ['a base member is missing', { purpose_code: 'X' }, /^object_malformed contract: member/],
    ['its evaluator is not here', changed({ evaluator: 'llm' }), 'evaluator_unavailable (llm) /evaluator'],
    ['it has no program', withoutProgram, 'program_missing /program'],
    [
      'its program is another',
      changed({ program_hash: 'a'.repeat(64) }),
      'program_hash_mismatch /program_hash',
    ],
    [
      'its schema is another',
      changed({ output_schema_hash: 'a'.repeat(64) }),
      'output_schema_hash_mismatch /output_schema_hash',
    ],
    [
      'its outputs cannot be counted',
      changed({ output_schema: { type: 'string' }, output_schema_hash: undefined }),
      /^value_unbounded \/output_schema/,
    ],
    [
      'its policy is not here',
      changed({ enforcement_policy_hash: 'a'.repeat(64) }),
      'policy_unknown /enforcement_policy_hash',
    ],
    [
      'its budget is exceeded',
      changed({ entropy_budget_bits: 5 }),
      'capacity_exceeds_budget (bits 6 over budget 5) /entropy_budget_bits',
    ],
    [
      'it names another receipt key',
      changed({ relay_verifying_key_hex: 'a'.repeat(64) }),
      'relay_key_mismatch /relay_verifying_key_hex',
    ],
  ])('%s', async (_, contract, detail) => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    const { output_schema_hash, ...rest } = contract
    const body = output_schema_hash === undefined ? rest : contract
    const refusal = buyer.refused(await buyer.create(CONTRACT, null, { contract: body }), 'contract_refused')
    if (typeof detail === 'string') expect(refusal.detail).toBe(detail)
    else expect(refusal.detail).toMatch(detail)
    expect(relay.audit.events).toEqual([])
  })

  it.each<[string, Contract]>([
    ['it is one octet over the limit', contractOfBytes(LIMITS.contract_bytes + 1)],
    ['it holds very many small objects', { ...CONTRACT, metadata: new Array<JsonObject>(600_000).fill({}) }],
  ])('%s: contract_too_large', async (_, contract) => {
    const { buyer } = pairOf(testRelay())
    buyer.refused(await buyer.create(contract, null), 'contract_refused', 'contract_too_large')
  })

  it('it is exactly as large as the limit, it is admitted', async () => {
    await pairOf(testRelay()).buyer.created(contractOfBytes(LIMITS.contract_bytes), null)
  })

  it('the claim beside it is no good either, only the claim is looked at', async () => {
    const { buyer } = pairOf(testRelay())
    const reply = await buyer.create({ ...CONTRACT, evaluator: 'llm' }, null, { ledger: buyer.claim() })
    buyer.refused(reply, 'ledger_claim_refused', 'nonce_mismatch /ledger/nonce')
  })

  it('it is no object', async () => {
    const { buyer } = pairOf(testRelay())
    buyer.refused(await buyer.create(CONTRACT, null, { contract: 'buy' }), 'contract_refused')
  })

  it('a result under it would be over the largest size class: too_large', async () => {
    const { buyer } = pairOf(
      testRelay({ limits: { contract_bytes: 2_097_152, open_contract_bytes: 4_194_304 } }),
    )
    const metadata = 'x'.repeat(2 * 1024 * 1024 - 16_384)
    buyer.refused(await buyer.create({ ...CONTRACT, metadata }, null), 'too_large')
  })

  it('the pin of the receipt key is the key of this relay, it is admitted', async () => {
    const relay = testRelay()
    const relay_verifying_key_hex = toHex(relay.deps.keys.receiptKey.publicKey)
    await pairOf(relay).buyer.created({ ...CONTRACT, relay_verifying_key_hex }, null)
  })
})

describe('a ledger claim is refused as ledger_claim_refused where', () => {
  const relay = testRelay()
  const buyer = new Participant(relay, 'initiator')
  const other = new Participant(relay, 'initiator')
  it.each<[string, () => JsonObject, string]>([
    [
      'it is signed by another key',
      () => both(buyer.claim({}, other.key)),
      'signature_invalid /ledger/signature',
    ],
    ['its owner is another', () => both(other.claim()), 'owner_mismatch /ledger/owner'],
    ['its nonce is another', () => ({ ledger: buyer.claim() }), 'nonce_mismatch /ledger/nonce'],
    [
      'it is signed for the other lane',
      () => {
        const { signature, ...unsigned } = buyer.claim()
        return both(signLedgerClaim(signature === '' ? 'software' : 'confidential', unsigned, buyer.key))
      },
      'signature_invalid /ledger/signature',
    ],
  ])('%s', async (_, more, detail) => {
    buyer.refused(await buyer.create(CONTRACT, null, more()), 'ledger_claim_refused', detail)
  })

  const both = (ledger: ReturnType<Participant['claim']>): JsonObject => ({ ledger, nonce: ledger.nonce })
})

describe('the relay is refused as relay_overloaded', () => {
  it('beyond its sessions, until one ends', async () => {
    const relay = testRelay({ limits: { sessions: 2 } })
    const [first, second, third] = [1, 2, 3].map(() => new Participant(relay, 'initiator'))
    if (!first || !second || !third) throw new Error('three participants')
    await first.created(CONTRACT, null)
    await second.created(CONTRACT, null)
    third.refused(await third.create(CONTRACT, null), 'relay_overloaded')
    expect(relay.logged).toContainEqual({ event: 'refused', tick: 0, code: 'relay_overloaded' })
    good(await second.cancel())
    await third.created(CONTRACT, null)
  })

  it('beyond the sessions of one participant, also where it joins', async () => {
    const relay = testRelay({ limits: { sessions_per_participant: 1 } })
    const { buyer, seller } = await offeredPair(relay, CONTRACT)
    buyer.refused(await buyer.create(CONTRACT, null), 'relay_overloaded')
    const other = new Participant(relay, 'initiator')
    await other.created(CONTRACT, null)
    seller.session = other.session
    seller.refused(await seller.join(CONTRACT), 'relay_overloaded')
  })

  it('not by invitations: whoever is only named has used nothing', async () => {
    const relay = testRelay({ limits: { sessions_per_participant: 2 } })
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    await new Participant(relay, 'initiator').created(CONTRACT, seller.did)
    for (let n = 0; n < 2; n++) {
      const claim = seller.claim()
      const body = { contract: CONTRACT, invited: [null], nonce: claim.nonce, ledger: claim }
      good(await seller.send('POST', '/v1/sessions', body, { role: 'initiator', session: 'none' }), 201)
    }
  })

  it('by parallel creations either', async () => {
    const relay = testRelay({ limits: { sessions: 5 } })
    const all = Array.from({ length: 20 }, () => new Participant(relay, 'initiator'))
    const replies = await Promise.all(all.map((each) => each.create(CONTRACT, null)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5)
  })
})

describe('a creation whose audit entry fails', () => {
  it('is refused as relay_failed, leaves nothing, and can be repeated', async () => {
    const relay = testRelay({ limits: { sessions: 1 } })
    const { buyer } = pairOf(relay)
    relay.disk.failures = 1
    buyer.refused(await buyer.create(CONTRACT, null), 'relay_failed', null)
    expect(relay.logged).toEqual([{ event: 'refused', tick: 0, code: 'relay_failed' }])
    parseCreated(good(await buyer.create(CONTRACT, null), 201))
  })
})
