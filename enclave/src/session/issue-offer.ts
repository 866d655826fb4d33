import { type LedgerEntry, ledgerHead, type Offer, offerDigest, signOffer } from '@parley/protocol'
import type { Offered, LiveSession, Seat } from './session.js'
import type { SessionDeps } from './session-deps.js'
import { termsOf } from './terms.js'

/** Signs the terms of a session in which all seats are taken. */
export function issueOffer(deps: SessionDeps, session: LiveSession, heads: readonly LedgerEntry[]): Offered {
  const { keys, bundle, clock } = deps
  const { capacity } = session.agreement.admitted
  const charge = ({ role }: Seat, seat: number) => ({
    role,
    head: ledgerHead(headAt(heads, seat)),
    charge_millibits: capacity.charge_millibits,
  })
  const unsigned: Omit<Offer, 'signature'> = {
    version: 'parley-offer-v1',
    lane: keys.keyset.lane,
    session_id: session.id,
    ...termsOf(session.agreement),
    capacity,
    participants: session.seats.map(party),
    open_join: session.openJoin,
    policy_bundle_hash: bundle.hash,
    profile_hash: bundle.profile.hash,
    ledger: session.seats.map(charge),
    release_bytes: session.agreement.bytes.release_bytes,
    keyset_digest: keys.keysetDigest,
    created_at: clock.nowSeconds(),
    expires_at: session.expiresAt,
  }
  const offer = signOffer(unsigned, keys.receiptKey)
  return { offer, digest: offerDigest(offer), heads }
}

const headAt = (heads: readonly LedgerEntry[], seat: number): LedgerEntry => {
  const head = heads[seat]
  if (head === undefined) throw new RangeError('an offer without the head of a seat')
  return head
}

const party = ({ role, participantId, did, claim }: Seat): Offer['participants'][number] => {
  if (did === null || claim === null) throw new RangeError('an offer before all seats are taken')
  return { role, participant_id: participantId, did, nonce: claim.nonce }
}
