import { type Receipt, toBase64url, transcriptHash } from '@parley/protocol'
import type { LedgerDebit } from '../ledger/ledger-book.js'
import type { Services } from '../session/services.js'
import type { LiveSession } from '../session/session.js'
import { assembleBundle } from './assemble-bundle.js'
import { issueReceipt } from './issue-receipt.js'
import type { Release } from './release.js'
import { recordWrite } from './session-record.js'
import { type Charged, type Ending, transcriptOf } from './transcript.js'

/**
 * The one durable commit of a session: both ledger debits, the audit entry, the receipt and the record stand together
 * or not at all. Before it nobody can fetch anything; after it nobody needs the other to fetch.
 * @throws whatever the store throws; then nothing has changed, and the same release may be committed again
 */
export function commitRelease(services: Services, session: LiveSession, release: Release): Promise<Receipt> {
  return services.ledger.exclusive(async () => {
    const debits = debitsOf(services, session, release)
    const ending: Ending = {
      session,
      release,
      salt: toBase64url(services.random(32)),
      charged: [debits[0] ? chargedBy(debits[0]) : null, debits[1] ? chargedBy(debits[1]) : null],
    }
    const receipt = await writeEnding(services, ending, debits)
    settle(services, session, release)
    return receipt
  })
}

const writeEnding = async (
  services: Services,
  ending: Ending,
  debits: readonly LedgerDebit[],
): Promise<Receipt> => {
  const { session, release } = ending
  const transcript = transcriptOf(services.keys.keyset.lane, ending)
  const fields = {
    session_id: session.id,
    transcript_hash: transcriptHash(transcript),
    outcome: release.outcome,
  }
  let receipt: Receipt | undefined
  await services.audit.append({ event: 'session.ended', fields }, (proof) => {
    receipt = issueReceipt(services, ending, transcript, proof)
    const bundle = assembleBundle(services, ending, { receipt, transcript, audit: proof.opening })
    const [initiator, responder] = session.seats
    const record = {
      bundle,
      dids: [initiator.did, responder.did] as const,
      ...session.agreement.bytes,
    }
    return [...debits.flatMap(({ writes }) => writes), recordWrite(session.id, record)]
  })
  if (receipt === undefined) throw new RangeError('an audit log that gave no proof')
  return receipt
}

const debitsOf = (
  { ledger }: Services,
  { id, seats }: LiveSession,
  { evaluated }: Release,
): readonly LedgerDebit[] =>
  evaluated ? seats.flatMap(({ claim }) => (claim === null ? [] : [ledger.debit(id, claim)])) : []

const chargedBy = ({ before, head }: LedgerDebit): Charged => ({ before, after: head })

/** What the offer reserved is spent, or free again. */
const settle = ({ ledger }: Services, { id, offered, seats }: LiveSession, { evaluated }: Release): void => {
  if (offered === null) return
  for (const { claim } of seats) {
    if (claim === null) continue
    if (evaluated) ledger.settle(id, claim)
    else ledger.release(id, claim)
  }
}
