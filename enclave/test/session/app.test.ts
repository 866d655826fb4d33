import {
  auditLeaf,
  type Bundle,
  commitInput,
  commitOutput,
  contractHash,
  hash,
  ledgerHead,
  logOrigin,
  offerDigest,
  openCheckpoint,
  parseBundle,
  receiptCore,
  receiptLeaf,
  rootFromInclusion,
  toHex,
  fromHex,
  transcriptHash,
  verifyBinding,
  verifyConsent,
  verifyLedgerEntry,
  verifyOffer,
  verifyReceipt,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { CEILING, FLOOR, type Participant, pairOf, submittedPair } from './participant.js'
import { CONTRACT, type TestRelay, testRelay } from './test-relay.js'

describe.each(['software', 'confidential'] as const)('a whole session in the %s lane', (lane) => {
  it('gives both participants one receipt that an offline verifier can follow', async () => {
    const relay = testRelay({ lane })
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    const [first, second] = [parseBundle(await buyer.bundle()), parseBundle(await seller.bundle())]
    expect(first.openings.output?.output).toEqual({ overlap: 'MODERATE', band: 'TENS_OF_THOUSANDS' })
    expect(first.receipt).toEqual(second.receipt)
    for (const bundle of [first, second]) verifyWhole(relay, bundle, buyer, seller)
    expect(first.openings.ledger.map(({ role }) => role)).toEqual(['initiator'])
    expect(second.openings.ledger.map(({ role }) => role)).toEqual(['responder'])
  })

  it('writes its audit entries in the order of SPEC §13', async () => {
    const relay = testRelay({ lane })
    const { buyer } = await submittedPair(relay, CONTRACT)
    await buyer.bundle()
    expect(relay.audit.events.map(({ event }) => event)).toEqual([
      'session.created',
      'session.offered',
      'session.consented',
      'session.consented',
      'input.accepted',
      'input.accepted',
      'run.started',
      'effect.requested',
      'effect.started',
      'effect.completed',
      'effect.requested',
      'effect.started',
      'session.ended',
      'effect.completed',
      'run.completed',
    ])
  })

  it('keeps no input in the store', async () => {
    const relay = testRelay({ lane })
    const { buyer } = await submittedPair(relay, CONTRACT, [{ ceiling: 987_654_321, currency: 'EUR' }, FLOOR])
    await buyer.bundle()
    const raw = [...relay.disk.records.values()].map((value) => Buffer.from(value).toString('latin1')).join()
    expect(raw).not.toContain('987654321')
    expect(JSON.stringify(relay.logged)).not.toContain('987654321')
  })
})

function verifyWhole(relay: TestRelay, bundle: Bundle, buyer: Participant, seller: Participant): void {
  const { keys, bootEvidence, attestationHash } = relay.deps
  const { receipt, transcript, offer, openings, consents } = bundle
  const receiptKey = keys.receiptKey.publicKey
  verifyReceipt(receipt, receiptKey)
  expect(receipt.lane).toBe(relay.lane)
  expect(receipt.assurance_level).toBe(relay.lane === 'software' ? 'SELF_ASSERTED' : 'TEE_ATTESTED')
  expect(receipt.tee?.attestation_hash ?? null).toBe(attestationHash)
  expect(receipt.outcome).toEqual({ status: 'COMPLETED', abort_class: null })
  expect(bundle.evidence).toEqual(bootEvidence)
  expect(receipt.contract_hash).toBe(contractHash(bundle.contract))
  expect(receipt.guardian_policy_hash).toBe(hash(bundle.guardian_policy))
  if (offer === null || openings.output === null || openings.audit === null)
    throw new Error('an opening is missing')
  verifyOffer(offer, receiptKey)
  expect(receipt.offer_digest).toBe(offerDigest(offer))
  consents.forEach((consent, index) => {
    if (consent === null) throw new Error('a consent is missing')
    verifyConsent(consent, [buyer, seller][index]?.key.publicKey ?? receiptKey)
    expect(consent.signature).toBe(transcript.participants[index]?.consent)
  })
  expect(receipt.transcript_hash).toBe(transcriptHash(transcript))
  const session_id = receipt.session_id
  expect(receipt.output_commitment).toBe(commitOutput(relay.lane, { session_id, ...openings.output }))
  const opened = [
    { role: 'initiator' as const, salt: buyer.salt, input: CEILING },
    { role: 'responder' as const, salt: seller.salt, input: FLOOR },
  ]
  expect(receipt.participants.map(({ input_commitment }) => input_commitment)).toEqual(
    opened.map((each) => commitInput(relay.lane, { session_id, ...each })),
  )
  verifyLog(relay, bundle)
  verifyLedger(relay, bundle)
  const { hardware_path } = bundle
  if (hardware_path.status !== 'present') throw new Error('no hardware path')
  verifyBinding(relay.lane, hardware_path.binding, receiptLeaf(receiptCore(receipt)), {
    keysetDigest: keys.keysetDigest,
    receiptKey,
  })
}

function verifyLog({ deps, lane }: TestRelay, { receipt, openings }: Bundle): void {
  if (openings.audit === null) throw new Error('no audit opening')
  const { checkpoint, leaf_hash, leaf_index, path } = receipt.audit
  const head = openCheckpoint(checkpoint, {
    origin: logOrigin(deps.keys.keyset.epoch),
    publicKey: deps.keys.logKey.publicKey,
  })
  expect(toHex(auditLeaf(lane, openings.audit))).toBe(leaf_hash)
  const root = rootFromInclusion({
    leafHash: fromHex(leaf_hash),
    index: leaf_index,
    size: head.size,
    path: path.map((node) => fromHex(node)),
  })
  expect(toHex(root)).toBe(toHex(head.root))
  expect(openings.audit.entry).toMatchObject({
    event: 'session.ended',
    fields: {
      session_id: receipt.session_id,
      transcript_hash: receipt.transcript_hash,
      outcome: receipt.outcome,
    },
  })
}

function verifyLedger({ deps }: TestRelay, { receipt, openings }: Bundle): void {
  for (const { role, before, after } of openings.ledger) {
    if (before === null || after === null) throw new Error('a ledger entry is missing')
    verifyLedgerEntry(before, deps.keys.receiptKey.publicKey)
    verifyLedgerEntry(after, deps.keys.receiptKey.publicKey)
    const party = receipt.participants.find((each) => each.role === role)
    expect([party?.head_before, party?.head_after]).toEqual([ledgerHead(before), ledgerHead(after)])
    expect(after.previous).toBe(ledgerHead(before))
    expect(after.session_id).toBe(receipt.session_id)
    expect(after.charge_millibits).toBe(receipt.capacity.charge_millibits)
    expect(after.before_millibits).toBe(before.after_millibits)
  }
}

describe('routes', () => {
  it.each([
    ['GET', '/v1/session'],
    ['GET', '/v1/inbox'],
    ['GET', '/v1/inbox/01'],
    ['GET', '/v1/inbox/0?after=1'],
    ['POST', '/v1/inbox/0'],
    ['POST', '/v1/invites'],
    ['POST', '/v1/session'],
    ['POST', '/v1/sessions/'],
    ['PUT', '/v1/sessions'],
    ['HEAD', '/v1/sessions'],
    ['POST', '/v1/sessions?x=1'],
    ['POST', '/v1/sessions?'],
    ['POST', '/v1/%73essions'],
    ['POST', '/v1/x/../sessions'],
    ['POST', '//v1/sessions'],
    ['POST', `/v1/sessions/${'A'.repeat(64)}/join`],
    ['POST', `/v1/sessions/${'a'.repeat(63)}/join`],
    ['GET', `/v1/sessions/${'a'.repeat(64)}/join`],
    ['POST', `/v1/sessions/${'a'.repeat(64)}/offer`],
    ['POST', `/v1/sessions/${'a'.repeat(64)}/input/`],
    ['GET', `/v1/sessions/${'a'.repeat(64)}/result?wait=1`],
    ['GET', '/'],
  ])('%s %s is refused as route_unknown', async (method, path) => {
    const { buyer } = pairOf(testRelay())
    buyer.refused(await buyer.send(method, path, method === 'POST' ? {} : undefined), 'route_unknown')
  })

  it('another scheme or authority is refused as route_unknown', async () => {
    const { buyer } = pairOf(testRelay())
    buyer.refused(await buyer.create(CONTRACT, null, {}, { scheme: 'http' }), 'route_unknown')
    buyer.refused(await buyer.create(CONTRACT, null, {}, { authority: 'elsewhere' }), 'route_unknown')
  })

  it('a GET with content is refused as request_malformed', async () => {
    const relay = testRelay()
    const { buyer } = await submittedPair(relay, CONTRACT)
    buyer.refused(await buyer.send('GET', buyer.path('offer'), {}), 'request_malformed', 'content')
  })
})
