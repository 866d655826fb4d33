import {
  commitOutput,
  type JsonValue,
  type Lane,
  type LedgerEntry,
  ledgerHead,
  type Role,
  type Transcript,
} from '@parley/protocol'
import type { LiveSession, Seat } from '../session/session.js'
import type { Release } from './release.js'

/** The ledger entries around a charge; null where nothing was charged. */
export type Charged = { readonly before: LedgerEntry; readonly after: LedgerEntry } | null

/** What one participant gets instead of the output, with a salt of its own. */
export type Narrowed = { readonly role: Role; readonly salt: string; readonly output: JsonValue }

/** What a session ends with. */
export type Ending = {
  readonly session: LiveSession
  readonly release: Release
  /** Salt of the output commitment, base64url of 32 octets. */
  readonly salt: string
  /** For each role that the policy narrows, whatever the outcome. */
  readonly narrowed: readonly Narrowed[]
  /** In role order. */
  readonly charged: readonly Charged[]
}

/** The digests of the entries around a charge. */
const headsOf = (charged: Charged = null): { head_before: string | null; head_after: string | null } => ({
  head_before: charged === null ? null : ledgerHead(charged.before),
  head_after: charged === null ? null : ledgerHead(charged.after),
})

/** The digests of what happened in a session. */
export function transcriptOf(lane: Lane, ending: Ending): Transcript {
  const { session, release, salt, charged } = ending
  const { id: session_id, seats } = session
  const { output, findings, outcome } = release
  return {
    version: 'parley-transcript-v1',
    lane,
    session_id,
    offer_digest: session.offered?.digest ?? null,
    participants: seats.map((seat, at) => ({
      ...row(seat, charged[at]),
      narrowed_commitment: narrowedCommitment(lane, ending, seat.role),
    })),
    output_commitment: commitOutput(lane, { session_id, salt, output, findings }),
    outcome,
  }
}

const narrowedCommitment = (lane: Lane, { session, narrowed }: Ending, role: Role): string | null => {
  const found = narrowed.find((each) => each.role === role)
  if (found === undefined) return null
  const { salt, output } = found
  return commitOutput(lane, { session_id: session.id, salt, output, findings: [] })
}

type Row = Omit<Transcript['participants'][number], 'narrowed_commitment'>

const row = ({ role, consent, submission }: Seat, charged: Charged | undefined): Row => ({
  role,
  consent: consent?.signature ?? null,
  encapsulation: submission?.encapsulation ?? null,
  ...headsOf(charged),
})
