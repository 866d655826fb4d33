import type { Bundle, DeclineReason, Invites, JsonValue, Role, SessionList } from '@parley/protocol'
import type { AppraisedOffer } from '@parley/verifier'
import { type AttestedRelay, attestRelay } from './attest-relay.js'
import { awaitOffer } from './await-offer.js'
import { awaitResult, type ResultWish } from './await-result.js'
import type { Beginning, Budget } from './begin-session.js'
import { cancelSession } from './cancel-session.js'
import { checkOwnInput } from './check-own-input.js'
import { type Clock, systemClock } from './clock.js'
import { consentToOffer } from './consent-to-offer.js'
import { createSession, type Proposal } from './create-session.js'
import type { Identity } from './identity.js'
import type { Asker } from './inbox/ask-as-key.js'
import { declineInvite, fetchInvitation, listInvites, listSessions } from './inbox/invites.js'
import { type News, readInbox } from './inbox/read-inbox.js'
import type { Invitation } from './invitation.js'
import { joinSession } from './join-session.js'
import { type ParticipantState, stateInFolder } from './participant-state.js'
import { resumeSession, revisitSession, type Session } from './session.js'
import { submitInput } from './submit-input.js'
import type { Trust } from './trust.js'

/** Where and how a session is begun. */
export type Begin = { readonly relay: AttestedRelay; readonly trust: Trust; readonly budget: Budget }

/**
 * A party's agent: it appraises a relay with its own nonce, agrees on terms, seals its input to what it appraised, and
 * holds the result against what it knows itself. The story of a session, in the order of its methods.
 */
export class Participant {
  readonly identity: Identity
  readonly #state: ParticipantState
  readonly #clock: Clock

  /** @param home where ledger heads and sessions are kept: a folder of this participant alone, or another place */
  constructor({
    identity,
    home,
    clock = systemClock,
  }: {
    identity: Identity
    home: string | ParticipantState
    clock?: Clock
  }) {
    this.identity = identity
    this.#state = typeof home === 'string' ? stateInFolder(home) : home
    this.#clock = clock
  }

  /** Appraises the relay behind an address, over a nonce drawn now. @throws AgentError `relay_not_trusted` */
  attest(url: string, trust: Trust): Promise<AttestedRelay> {
    return attestRelay({ url, trust, clock: this.#clock })
  }

  /** Creates a session as its initiator. @throws RelayRefusal */
  create(begin: Begin, proposal: Proposal): Promise<{ session: Session; invitation: Invitation }> {
    return createSession(this.#beginning(begin), proposal)
  }

  /**
   * Joins a session.
   * @param role the seat to take; needed only where several are open
   * @throws RelayRefusal; AgentError `invitation_refused`
   */
  join(begin: Begin, invitation: Invitation, role: Role | null = null): Promise<Session> {
    return joinSession(this.#beginning(begin), invitation, role)
  }

  /** Goes on with a session of an earlier run. @throws AgentError `state_missing`, `relay_changed`, `relay_not_trusted` */
  async resume(sessionId: string): Promise<Session> {
    const file = await this.#state.open(sessionId)
    return resumeSession({ identity: this.identity, file, wallet: this.#state.wallet, clock: this.#clock })
  }

  /**
   * Goes back to a session that has ended, for its result, at the relay that answers now: it may have been restarted.
   * @throws AgentError `state_missing`
   */
  async revisit(sessionId: string, relay: AttestedRelay): Promise<Session> {
    const file = await this.#state.open(sessionId)
    const { wallet } = this.#state
    return revisitSession({ identity: this.identity, file, wallet, clock: this.#clock }, relay)
  }

  /**
   * What happened in this participant's sessions after an event.
   * @param waitMs how long to wait for something new, in milliseconds
   * @throws AgentError `relay_changed` where the relay has no event of that number; RelayRefusal
   */
  inbox(relay: AttestedRelay, after: number, waitMs: number): Promise<News> {
    return readInbox(this.#asker(relay), after, waitMs)
  }

  /** The seats that wait for this participant. @throws RelayRefusal */
  invites(relay: AttestedRelay): Promise<Invites> {
    return listInvites(this.#asker(relay))
  }

  /** Its sessions at a relay, open ones first. @throws RelayRefusal */
  sessions(relay: AttestedRelay): Promise<SessionList> {
    return listSessions(this.#asker(relay))
  }

  /** The invitation to a session in which a seat waits for it. @throws RelayRefusal; AgentError `invitation_refused` */
  invitation(relay: AttestedRelay, sessionId: string): Promise<Invitation> {
    return fetchInvitation(this.#asker(relay), sessionId)
  }

  /** Declines a seat; the session ends. @throws RelayRefusal; AgentError `invitation_refused` */
  decline(relay: AttestedRelay, sessionId: string, reason: DeclineReason): Promise<void> {
    return declineInvite(this.#asker(relay), sessionId, reason)
  }

  /** Waits for the offer and appraises it. @throws AgentError `offer_timeout`, `offer_refused`, `ledger_mismatch` */
  offer(session: Session, waitMs: number): Promise<AppraisedOffer> {
    return awaitOffer(session, waitMs)
  }

  /** Checks an input that is to be submitted, before anything is consented to. @throws AgentError `input_refused` */
  check(session: Session, input: JsonValue): void {
    checkOwnInput(session, input)
  }

  /** Consents to an offer that was appraised. @throws RelayRefusal */
  consent(session: Session, offer: AppraisedOffer): Promise<void> {
    return consentToOffer(session, offer)
  }

  /** Submits the input. @throws RelayRefusal; AgentError `input_conflict`, `consent_timeout` */
  submit(session: Session, input: JsonValue, waitMs: number): Promise<void> {
    return submitInput(session, input, waitMs)
  }

  /** Ends a session before all inputs are in. @throws RelayRefusal */
  cancel(session: Session): Promise<void> {
    return cancelSession(session)
  }

  /** Waits for the result and checks it. @throws AgentError `result_timeout`, `result_mismatch`, `ledger_mismatch` */
  result(session: Session, wish: ResultWish): Promise<Bundle> {
    return awaitResult(session, wish)
  }

  #asker(relay: AttestedRelay): Asker {
    return { identity: this.identity, relay, clock: this.#clock }
  }

  #beginning(begin: Begin): Beginning {
    return {
      ...begin,
      identity: this.identity,
      state: this.#state,
      clock: this.#clock,
    }
  }
}
