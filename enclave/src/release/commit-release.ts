import { narrowOutput } from '@parley/guardian'
import { type Receipt, type Role, toBase64url, transcriptHash } from '@parley/protocol'
import type { Notice } from '../inbox/notice.js'
import type { LedgerDebit } from '../ledger/ledger-book.js'
import type { Services } from '../session/services.js'
import type { LiveSession } from '../session/session.js'
import type { Write } from '../store/store.js'
import { assembleBundle } from './assemble-bundle.js'
import { issueReceipt } from './issue-receipt.js'
import type { Release } from './release.js'
import { recordWrite } from './session-record.js'
import { type Charged, type Ending, type Narrowed, transcriptOf } from './transcript.js'

/**
 * The one durable commit of a session: all ledger debits, the audit entry, the receipt, the record and the notices to
 * its participants stand together or not at all. Before it nobody can fetch anything; after it nobody needs another to fetch.
 * @throws whatever the store throws; then nothing has changed, and the same release may be committed again
 */
export function commitRelease(
  services: Services,
  session: LiveSession,
  release: Release,
  notices: readonly Notice[],
): Promise<Receipt> {
  return services.ledger.exclusive(async () => {
    const debits = debitsOf(services, session, release)
    const ending: Ending = {
      session,
      release,
      salt: toBase64url(services.random(32)),
      narrowed: narrowedOf(services, session, release),
      charged: debits.map(chargedBy),
    }
    const receipt = await services.inbox.posting(notices, (writes) =>
      writeEnding(services, ending, { debits, writes }),
    )
    settle(services, session, release)
    return receipt
  })
}

const writeEnding = async (
  services: Services,
  ending: Ending,
  { debits, writes }: { readonly debits: readonly LedgerDebit[]; readonly writes: () => readonly Write[] },
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
    const { seats, agreement } = session
    const dids = seats.map(({ did }) => did)
    const record = { bundle, dids, narrowed: ending.narrowed, ...agreement.bytes }
    return [...debits.flatMap((debit) => debit.writes), recordWrite(session.id, record), ...writes()]
  })
  if (receipt === undefined) throw new RangeError('an audit log that gave no proof')
  return receipt
}

const debitsOf = (
  { ledger }: Services,
  { id, seats }: LiveSession,
  { evaluated }: Release,
): readonly LedgerDebit[] =>
  evaluated
    ? seats.flatMap(({ claim, role }) =>
        claim === null ? [] : [ledger.debit(id, claim, others(seats, role))],
      )
    : []

const others = (seats: LiveSession['seats'], own: Role): readonly string[] =>
  seats.flatMap(({ role, did }) => (role === own || did === null ? [] : [did]))

/** Whatever came of the session, so that the rows tell nothing of it. */
const narrowedOf = (
  { random }: Services,
  { agreement, seats }: LiveSession,
  { output }: Release,
): readonly Narrowed[] =>
  narrowOutput(
    agreement.admitted.policy,
    output,
    seats.map(({ role }) => role),
  ).map(({ role, output: part }) => ({ role, salt: toBase64url(random(32)), output: part }))

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
