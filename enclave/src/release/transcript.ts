import { commitOutput, type Lane, type LedgerEntry, ledgerHead, type Transcript } from '@parley/protocol'
import type { LiveSession, Seat } from '../session/session.js'
import type { Release } from './release.js'

/** The ledger entries around a charge; null where nothing was charged. */
export type Charged = { readonly before: LedgerEntry; readonly after: LedgerEntry } | null

/** What a session ends with. */
export type Ending = {
  readonly session: LiveSession
  readonly release: Release
  /** Salt of the output commitment, base64url of 32 octets. */
  readonly salt: string
  /** In role order. */
  readonly charged: readonly [Charged, Charged]
}

/** The digests of the entries around a charge. */
export const headsOf = (charged: Charged): { head_before: string | null; head_after: string | null } => ({
  head_before: charged === null ? null : ledgerHead(charged.before),
  head_after: charged === null ? null : ledgerHead(charged.after),
})

/** The digests of what happened in a session. */
export function transcriptOf(lane: Lane, { session, release, salt, charged }: Ending): Transcript {
  const { id: session_id, seats } = session
  return {
    version: 'parley-transcript-v1',
    lane,
    session_id,
    offer_digest: session.offered?.digest ?? null,
    participants: [row(seats[0], charged[0]), row(seats[1], charged[1])],
    output_commitment: commitOutput(lane, { session_id, salt, output: release.output }),
    outcome: release.outcome,
  }
}

const row = ({ role, consent, submission }: Seat, charged: Charged): Transcript['participants'][number] => ({
  role,
  consent: consent?.signature ?? null,
  encapsulation: submission?.encapsulation ?? null,
  ...headsOf(charged),
})
