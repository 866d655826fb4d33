import { type JsonValue, offerDigest } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { type AttestedRelay, attestRelay } from './attest-relay.js'
import { type Clock, nowSeconds } from './clock.js'
import { exchange } from './exchange.js'
import type { Identity } from './identity.js'
import type { LedgerWallet } from './ledger-wallet.js'
import { type InnerRequest, type SealedRequest, sealRequest } from './seal-request.js'
import type { SessionFile } from './session-file.js'

/** A participant's end of one session: who it is, the relay that it attested, and its own record. */
export type Session = {
  readonly identity: Identity
  readonly relay: AttestedRelay
  readonly file: SessionFile
  readonly wallet: LedgerWallet
  readonly clock: Clock
}

/** Seals a request of this session. Its number is on the disk first, so that no crash lets one be used twice. */
export const sealInSession = async (
  { identity, relay, file, clock }: Session,
  request: InnerRequest,
): Promise<SealedRequest> => {
  const { session_id: sessionId, role, offer, seq } = await file.update((record) => ({ seq: record.seq + 1 }))
  return sealRequest(relay.keyset, request, {
    identity,
    role,
    sessionId,
    offerDigest: offer === null ? null : offerDigest(offer),
    seq,
    nowSeconds: nowSeconds(clock),
  })
}

/** Seals a request of this session and sends it once. */
export const ask = async (session: Session, request: InnerRequest): Promise<JsonValue> =>
  exchange(session.relay, await sealInSession(session, request))

/** The path of a session's resource. */
export const pathIn = ({ file }: Session, resource: string): string =>
  `/v1/sessions/${file.record.session_id}/${resource}`

/** What it takes to go on with a session that a file holds. */
export type Resumed = Pick<Session, 'identity' | 'file' | 'wallet' | 'clock'>

/**
 * Goes on with a session: the relay is appraised anew, by what the session was begun under, and must still be the one
 * that the session is bound to.
 * @throws AgentError `relay_not_trusted`, `relay_changed`, `gateway_key_unknown` (a relay that restarted has other keys)
 */
export const resumeSession = async (resumed: Resumed): Promise<Session> => {
  const { relay: url, key_id, policy, roots, keyset_digest, did } = resumed.file.record
  if (did !== resumed.identity.did)
    throw new AgentError('state_malformed', 'the session is of another identity')
  const trust = { policy, roots: roots.map((root) => Buffer.from(root, 'base64url')) }
  const relay = await attestRelay({ url, keyId: key_id, trust, clock: resumed.clock })
  if (relay.keyset.keysetDigest !== keyset_digest)
    throw new AgentError(
      'relay_changed',
      'the relay has other keys than those that the session was begun under',
    )
  return { ...resumed, relay }
}
