import { randomBytes } from 'node:crypto'
import {
  type Bundle,
  type LedgerEntry,
  ledgerHead,
  type Receipt,
  receiptCore,
  signConsent,
  signLedgerEntry,
  signReceipt,
  type SigningKey,
  type Transcript,
  transcriptHash,
} from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { generateIdentity } from '../src/index.js'
import { consentBoth, type Stage, startStage } from './double/stage.js'
import { BUYER, SELLER } from './double/terms.js'

const ONCE = { waitMs: 0, hardwareWaitMs: 0, openInput: false }
const OTHER = '00'.repeat(32)

/** A session in which both inputs were taken, up to its result. */
const play = async (): Promise<{ stage: Stage; result: () => Promise<Bundle> }> => {
  const stage = await startStage()
  const { bought, sold } = await consentBoth(stage)
  await stage.buyer.submit(bought, BUYER, 0)
  await stage.seller.submit(sold, SELLER, 0)
  return { stage, result: () => stage.buyer.result(bought, ONCE) }
}

type Parts = { receipt: Partial<Receipt>; transcript: Partial<Transcript>; bundle: Partial<Bundle> }

/** A relay that signs whatever it likes: the receipt is consistent in itself, and not with what was sent. */
const lying =
  (change: (bundle: Bundle, key: SigningKey) => Partial<Parts>, key: SigningKey) =>
  (honest: Bundle): Bundle => {
    const parts = change(honest, key)
    const transcript = { ...honest.transcript, ...parts.transcript }
    const transcript_hash = transcriptHash(transcript)
    const core = { ...receiptCore(honest.receipt), transcript_hash, ...parts.receipt }
    return { ...honest, ...parts.bundle, transcript, receipt: signReceipt(core, key) }
  }

const first = <T>(rows: readonly T[], change: Partial<T>): T[] =>
  rows.map((row, at) => (at === 0 ? { ...row, ...change } : row))
const entryOf = ({ openings }: Bundle): { before: LedgerEntry; after: LedgerEntry } => {
  const [row] = openings.ledger
  if (!row?.before || !row.after) throw new Error('no ledger is open')
  return { before: row.before, after: row.after }
}

const withEntry = (bundle: Bundle, key: SigningKey, change: Partial<LedgerEntry>): Partial<Parts> => {
  const { before, after } = entryOf(bundle)
  const { signature: _, ...unsigned } = { ...after, ...change }
  const changed = signLedgerEntry(unsigned, key)
  const head_after = ledgerHead(changed)
  return {
    receipt: { participants: first(bundle.receipt.participants, { head_after }) },
    transcript: { participants: first(bundle.transcript.participants, { head_after }) },
    bundle: { openings: { ...bundle.openings, ledger: [{ role: 'initiator', before, after: changed }] } },
  }
}

describe('a result, though its relay signed it, is refused', () => {
  test.each<[string, (bundle: Bundle, key: SigningKey) => Partial<Parts>]>([
    ['of another session', () => ({ receipt: { session_id: OTHER }, transcript: { session_id: OTHER } })],
    [
      'of another keyset',
      ({ receipt }) => ({ receipt: { relay: { ...receipt.relay, keyset_digest: OTHER } } }),
    ],
    ['under another contract', () => ({ receipt: { contract_hash: OTHER } })],
    [
      'that shows another contract',
      ({ contract }) => ({ bundle: { contract: { ...contract, purpose_code: 'OTHER' } } }),
    ],
    ['with another transcript', () => ({ receipt: { transcript_hash: OTHER } })],
    ['of another offer', () => ({ receipt: { offer_digest: OTHER }, transcript: { offer_digest: OTHER } })],
    ['without the offer', () => ({ receipt: { offer_digest: null }, bundle: { offer: null } })],
    [
      'for another participant',
      ({ receipt }) => ({
        receipt: { participants: first(receipt.participants, { did: generateIdentity().did }) },
      }),
    ],
    [
      'for nobody',
      ({ receipt }) => ({ receipt: { participants: first(receipt.participants, { did: null }) } }),
    ],
    [
      'of another input',
      ({ receipt }) => ({
        receipt: { participants: first(receipt.participants, { input_commitment: OTHER }) },
      }),
    ],
    [
      'without the input',
      ({ receipt }) => ({
        receipt: { participants: first(receipt.participants, { input_commitment: null }) },
      }),
    ],
    [
      'of another encapsulation',
      ({ transcript }) => ({
        transcript: { participants: first(transcript.participants, { encapsulation: OTHER }) },
      }),
    ],
    [
      'without the encapsulation',
      ({ transcript }) => ({
        transcript: { participants: first(transcript.participants, { encapsulation: null }) },
      }),
    ],
    [
      'with a consent that was never given',
      ({ consents, transcript }) => {
        const consent = signConsent(
          { lane: 'software', role: 'initiator', offer_digest: OTHER },
          generateIdentity().key,
        )
        const participants = first(transcript.participants, { consent: consent.signature })
        return { transcript: { participants }, bundle: { consents: [consent, ...consents.slice(1)] } }
      },
    ],
    [
      'without the consent',
      ({ consents, transcript }) => ({
        transcript: { participants: first(transcript.participants, { consent: null }) },
        bundle: { consents: [null, ...consents.slice(1)] },
      }),
    ],
    [
      'that says it was cancelled though the input was taken, and charges',
      () => ({ receipt: { outcome: { status: 'ABORTED', abort_class: 'CANCELLED' } } }),
    ],
  ])('%s', async (_, change) => {
    const { stage, result } = await play()
    const { receiptKey } = stage.relay.keys
    stage.relay.tampering.bundle = lying(change, receiptKey)
    await expect(result()).rejects.toMatchObject({ code: 'result_mismatch' })
  })

  test.each<[string, (bundle: Bundle, key: SigningKey) => Partial<Parts>]>([
    ['without the new entry', ({ openings }) => ({ bundle: { openings: { ...openings, ledger: [] } } })],
    ['with a greater charge', (bundle, key) => withEntry(bundle, key, { charge_millibits: 9000 })],
    ['that skips an entry', (bundle, key) => withEntry(bundle, key, { seq: 9 })],
    ['charged to another session', (bundle, key) => withEntry(bundle, key, { session_id: OTHER })],
    ['charged to another secret', (bundle, key) => withEntry(bundle, key, { tag: 'other' })],
    ['with a limit that rose', (bundle, key) => withEntry(bundle, key, { limit_millibits: 20_001 })],
    ['on another chain', (bundle, key) => withEntry(bundle, key, { previous: OTHER })],
    ['that sums up wrongly', (bundle, key) => withEntry(bundle, key, { after_millibits: 1 })],
    ['without a debit', (bundle, key) => withEntry(bundle, key, { kind: 'open' })],
    [
      'whose heads are not those entries',
      ({ receipt, transcript }) => ({
        receipt: { participants: first(receipt.participants, { head_after: OTHER }) },
        transcript: { participants: first(transcript.participants, { head_after: OTHER }) },
      }),
    ],
  ])('%s, as the ledger does not follow', async (_, change) => {
    const { stage, result } = await play()
    stage.relay.tampering.bundle = lying(change, stage.relay.keys.receiptKey)
    await expect(result()).rejects.toMatchObject({ code: 'ledger_mismatch' })
  })

  test('when somebody else signed the receipt', async () => {
    const { stage, result } = await play()
    stage.relay.tampering.bundle = lying(() => ({}), generateIdentity().key)
    await expect(result()).rejects.toMatchObject({ code: 'signature_invalid' })
  })

  test('when somebody else signed the ledger entry', async () => {
    const { stage, result } = await play()
    const stranger = generateIdentity().key
    stage.relay.tampering.bundle = lying(
      (bundle) => withEntry(bundle, stranger, {}),
      stage.relay.keys.receiptKey,
    )
    await expect(result()).rejects.toMatchObject({ code: 'signature_invalid' })
  })

  test('when it is no bundle', async () => {
    const { stage, result } = await play()
    stage.relay.tampering.bundle = () => ({ version: randomBytes(4).toString('hex') })
    await expect(result()).rejects.toMatchObject({ code: 'object_malformed' })
  })
})
