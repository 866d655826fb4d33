import { type JsonValue, type Offer, offerDigest } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { type AttestedRelay, attestRelay } from './attest-relay.js'
import { type Clock, nowSeconds } from './clock.js'
import { exchange } from './exchange.js'
import type { Identity } from './identity.js'
import type { LedgerWallet } from './ledger-wallet.js'
import { type InnerRequest, type SealedRequest, sealRequest } from './seal-request.js'
import type { SessionFile } from './session-file.js'
import { recordedTrust, type SessionRecord } from './session-record.js'

/** A participant's end of one session: who it is, the relay that it attested, and its own record. */
export type Session = {
  readonly identity: Identity
  readonly relay: AttestedRelay
  readonly file: SessionFile
  readonly wallet: LedgerWallet
  readonly clock: Clock
}

/** What a request says, and what the record says of it from before it is sent. */
export type Step = {
  readonly request: InnerRequest
  /** @param encapsulation digest of the sealed request */
  readonly recorded: (encapsulation: string) => Partial<SessionRecord>
}

/**
 * Seals a request of this session. Its number and what is recorded with it are on the disk first, in one write, so that
 * no crash lets a number be used twice.
 * @param stepOf says what is sent, given the record as it is on the disk
 */
export const sealInSession = async (
  session: Session,
  stepOf: (record: SessionRecord) => Step,
): Promise<SealedRequest> => {
  let sealed: SealedRequest | undefined
  await session.file.step((record, seq) => {
    const { request, recorded } = stepOf(record)
    sealed = sealAs(session, record, seq, request)
    return recorded(sealed.encapsulation)
  })
  if (sealed === undefined) throw new RangeError('a request that was not sealed')
  return sealed
}

// Every request names the offer of the record, which is never changed once it is there.
const digests = new WeakMap<Offer, string>()

const digestOf = (offer: Offer): string => {
  const digest = digests.get(offer) ?? offerDigest(offer)
  digests.set(offer, digest)
  return digest
}

const sealAs = (
  { identity, relay, clock }: Session,
  { session_id: sessionId, role, offer }: SessionRecord,
  seq: number,
  request: InnerRequest,
): SealedRequest => {
  const author = { identity, role, sessionId, offerDigest: offer && digestOf(offer), seq }
  return sealRequest(relay.keyset, request, { ...author, nowSeconds: nowSeconds(clock) })
}

/** Seals a request of this session and sends it once; `recorded` is on the disk before. */
export const ask = async (
  session: Session,
  request: InnerRequest,
  recorded?: Partial<SessionRecord>,
): Promise<JsonValue> => exchange(session.relay, await sealed(session, request, recorded))

const sealed = async (
  session: Session,
  request: InnerRequest,
  recorded: Partial<SessionRecord> | undefined,
): Promise<SealedRequest> => {
  if (recorded !== undefined) return sealInSession(session, () => ({ request, recorded: () => recorded }))
  const seq = await session.file.nextSeq()
  return sealAs(session, session.file.record, seq, request)
}

/** The path of a session's resource. */
export const pathIn = ({ file }: Session, resource: string): string =>
  `/v1/sessions/${file.record.session_id}/${resource}`

/** What it takes to go on with a session that a file holds. */
export type Resumed = Pick<Session, 'identity' | 'file' | 'wallet' | 'clock'>

/**
 * Goes back to a session that has ended, at the relay that answers now: after a restart it has other keys, and may have
 * kept the result. What it says is held against the keys that the session was begun under.
 * @throws AgentError `state_malformed` where the session is of another identity
 */
export const revisitSession = (resumed: Resumed, relay: AttestedRelay): Session => {
  if (resumed.file.record.did !== resumed.identity.did)
    throw new AgentError('state_malformed', 'the session is of another identity')
  return { ...resumed, relay }
}

/**
 * Goes on with a session: the relay is appraised anew, by what the session was begun under, and must still be the one
 * that the session is bound to.
 * @throws AgentError `relay_not_trusted`, `relay_changed`, `gateway_key_unknown` (a relay that restarted has other keys)
 */
export const resumeSession = async (resumed: Resumed): Promise<Session> => {
  const { relay: url, key_id, keyset_digest, did } = resumed.file.record
  if (did !== resumed.identity.did)
    throw new AgentError('state_malformed', 'the session is of another identity')
  const trust = recordedTrust(resumed.file.record)
  const relay = await attestRelay({ url, keyId: key_id, trust, clock: resumed.clock })
  if (relay.keyset.keysetDigest !== keyset_digest)
    throw new AgentError(
      'relay_changed',
      'the relay has other keys than those that the session was begun under',
    )
  return { ...resumed, relay }
}
