import { join } from 'node:path'
import type { Bundle, JsonValue } from '@parley/protocol'
import type { AppraisedOffer } from '@parley/verifier'
import { AgentError } from './agent-error.js'
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
import type { Invitation } from './invitation.js'
import { joinSession } from './join-session.js'
import { LedgerWallet } from './ledger-wallet.js'
import { resumeSession, type Session } from './session.js'
import { SessionFile } from './session-file.js'
import { submitInput } from './submit-input.js'
import type { Trust } from './trust.js'

const SESSION_ID = /^[0-9a-f]{64}$/

/** Where and how a session is begun. */
export type Begin = { readonly relay: AttestedRelay; readonly trust: Trust; readonly budget: Budget }

/**
 * A party's agent: it appraises a relay with its own nonce, agrees on terms, seals its input to what it appraised, and
 * holds the result against what it knows itself. The story of a session, in the order of its methods.
 */
export class Participant {
  readonly identity: Identity
  readonly #home: string
  readonly #wallet: LedgerWallet
  readonly #clock: Clock

  /** @param home a folder of this participant alone: ledger heads and sessions are kept there */
  constructor({ identity, home, clock = systemClock }: { identity: Identity; home: string; clock?: Clock }) {
    this.identity = identity
    this.#home = home
    this.#wallet = new LedgerWallet(join(home, 'ledger'))
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

  /** Joins a session as its responder. @throws RelayRefusal; AgentError `invitation_refused` */
  join(begin: Begin, invitation: Invitation): Promise<Session> {
    return joinSession(this.#beginning(begin), invitation)
  }

  /** Goes on with a session of an earlier run. @throws AgentError `state_missing`, `relay_changed`, `relay_not_trusted` */
  async resume(sessionId: string): Promise<Session> {
    const file = await SessionFile.open(this.#pathOf(sessionId))
    return resumeSession({ identity: this.identity, file, wallet: this.#wallet, clock: this.#clock })
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

  /** Ends a session before both inputs are in. @throws RelayRefusal */
  cancel(session: Session): Promise<void> {
    return cancelSession(session)
  }

  /** Waits for the result and checks it. @throws AgentError `result_timeout`, `result_mismatch`, `ledger_mismatch` */
  result(session: Session, wish: ResultWish): Promise<Bundle> {
    return awaitResult(session, wish)
  }

  #beginning(begin: Begin): Beginning {
    return {
      ...begin,
      identity: this.identity,
      wallet: this.#wallet,
      clock: this.#clock,
      pathOf: (sessionId) => this.#pathOf(sessionId),
    }
  }

  #pathOf(sessionId: string): string {
    if (!SESSION_ID.test(sessionId))
      throw new AgentError('state_missing', 'a session is named by 64 hex digits')
    return join(this.#home, 'sessions', `${sessionId}.json`)
  }
}
