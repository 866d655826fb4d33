import {
  type Artefacts,
  canonicalBytes,
  type Contract,
  type Offer,
  type Role,
  seatOfRole,
  type SessionState,
} from '@parley/protocol'
import { readRecord } from '../release/session-record.js'
import { agreedTerms } from './agreed-terms.js'
import { type Answer, answer, RESPONSE_OVERHEAD_BYTES } from './answer.js'
import type { SessionInbound } from './inbound.js'
import { heldUntil } from './hold.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import { type EndedSession, type LiveSession, type Offered, visibleState } from './session.js'

/** `GET /v1/sessions/ID/offer`: a long poll is answered when there is an offer, or can be none any more. */
export async function getOffer(
  services: Services,
  { cell, role }: SessionInbound,
  waitMs: number,
): Promise<Answer | Refused> {
  if (waitMs > 0)
    await heldUntil(services, waitMs, () => cell.current.kind === 'ended' || cell.current.offered !== null)
  const session = cell.current
  return session.kind === 'live' ? answerOffer(services, session, role) : answerEnded(services, session, role)
}

// A ledger entry in JSON. Its length tells figures, so that it must not move an answer to another size class.
const ENTRY_BYTES = 2048

/** What a participant sees of the offer; the entry behind a head is shown to its owner only. */
export function answerOffer(services: Services, session: LiveSession, role: Role): Answer {
  const { agreement, offered } = session
  const terms = {
    ...agreedTerms(agreement),
    offer: offered?.offer ?? null,
    heads: offered?.heads ?? null,
  }
  return sizedAnswer(visibleState(session, services.clock.nowMs()), terms, role)
}

const answerEnded = ({ store, clock }: Services, session: EndedSession, role: Role): Answer | Refused => {
  const record = readRecord(store, session.id)
  if (record === undefined) return refuse('relay_failed')
  const { contract, artefacts, offer } = record.bundle
  const terms = { contract, artefacts, offer, heads: session.heads }
  return sizedAnswer(visibleState(session, clock.nowMs()), terms, role)
}

type OfferTerms = {
  readonly contract: Contract
  readonly artefacts: Artefacts
  readonly offer: Offer | null
  readonly heads: Offered['heads'] | null
}

const sizedAnswer = (state: SessionState, { heads, ...terms }: OfferTerms, role: Role): Answer => {
  const shared = { state, ...terms }
  const mostBytes = canonicalBytes(shared).length + ENTRY_BYTES + RESPONSE_OVERHEAD_BYTES
  return answer({ ...shared, ledger_entry: heads?.[seatOfRole(role)] ?? null }, mostBytes)
}
