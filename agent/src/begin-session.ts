import { randomBytes } from 'node:crypto'
import type { SpendingWindow } from '@parley/guardian'
import {
  type Contract,
  fromBase64url,
  type JsonObject,
  type JsonValue,
  type LedgerClaim,
  type LedgerEntry,
  ledgerHead,
  NO_ARTEFACTS,
  parseKeyConfigs,
  type Role,
  signLedgerClaim,
  toBase64url,
} from '@parley/protocol'
import type { AttestedRelay } from './attest-relay.js'
import { type Clock, nowSeconds } from './clock.js'
import { entrySeq } from './entry-seq.js'
import { exchange } from './exchange.js'
import type { Identity } from './identity.js'
import type { ParticipantState } from './participant-state.js'
import { RelayRefusal } from './relay-refusal.js'
import { sealRequest } from './seal-request.js'
import type { SessionRecord } from './session-record.js'
import type { Trust } from './trust.js'

/** How the owner budgets the secret that it confers about. */
export type Budget = {
  /** The owner's name for the secret: every session about it draws on one budget. 1 to 64 printable characters. */
  readonly tag: string
  /** The lifetime limit in thousandths of a bit. It may only fall; null keeps it, and starts with 64 bits. */
  readonly limitMillibits: number | null
  /** What may be told in any so many seconds, by the host's clock; it may only be narrowed. Without it, as before. */
  readonly window?: SpendingWindow
  /** What the same counterparties may be told of all secrets before the entry says that it is more. Advice only. */
  readonly pairLimitMillibits?: number
}

const FIRST_LIMIT_MILLIBITS = 64_000

/** Who begins, where, and by what it judges. */
export type Beginning = {
  readonly identity: Identity
  readonly relay: AttestedRelay
  readonly trust: Trust
  readonly state: ParticipantState
  readonly clock: Clock
  readonly budget: Budget
}

/** What a create or join says of its author, and must be found again in the offer. */
export type Opening = {
  readonly nonce: string
  readonly claim: LedgerClaim
  /** The number of the request; all later ones of the session are higher. */
  readonly seq: number
}

/** Draws the session nonce and signs the ledger claim, with the last head that the owner holds. */
export const openingOf = async ({ identity, relay, state, budget, clock }: Beginning): Promise<Opening> => {
  const { lane } = relay.keyset.keyset
  const nonce = toBase64url(randomBytes(32))
  const head = await state.wallet.held(lane, budget.tag)
  const unsigned = {
    version: 'parley-ledger-claim-v1' as const,
    owner: identity.did,
    tag: budget.tag,
    limit_millibits: budget.limitMillibits ?? head?.limit_millibits ?? FIRST_LIMIT_MILLIBITS,
    ...(budget.window === undefined ? {} : { window: budget.window }),
    ...(budget.pairLimitMillibits === undefined ? {} : { pair_limit_millibits: budget.pairLimitMillibits }),
    head,
    nonce,
  }
  return { nonce, claim: signLedgerClaim(lane, unsigned, identity.key), seq: entrySeq(clock) }
}

/** The request by which a participant enters a session. */
export type Entrance = {
  readonly role: Role
  /** Null where the relay is to name it. */
  readonly sessionId: string | null
  readonly path: string
  readonly body: JsonObject
  readonly seq: number
}

/** Sends the request that begins a session; nothing of it is on the disk before the relay's yes, as it seals no input. */
export const beginWith = async (
  { identity, relay, clock, state, budget }: Beginning,
  { role, sessionId, path, body, seq }: Entrance,
): Promise<JsonValue> => {
  const author = {
    identity,
    role,
    sessionId,
    offerDigest: null,
    seq,
    nowSeconds: nowSeconds(clock),
  }
  try {
    return await exchange(relay, sealRequest(relay.keyset, { method: 'POST', path, body }, author))
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error
    throw new RelayRefusal(error.refusal, state.wallet.pathOf(relay.keyset.keyset.lane, budget.tag))
  }
}

/** What is known of a session when it begins. */
export type Begun = {
  readonly sessionId: string
  readonly role: Role
  /** As in {@link SessionRecord}. */
  readonly seats: readonly (string | null)[]
  readonly contract: Contract
}

/** The first record of a session. */
export const firstRecord = (
  { identity, relay, trust }: Beginning,
  { nonce, claim, seq }: Opening,
  begun: Begun,
): SessionRecord => {
  const { keyset, keysetDigest } = relay.keyset
  return {
    version: 'parley-session-v1',
    relay: relay.url,
    key_id: keyIdOf(keyset.ohttp_keys),
    keyset_digest: keysetDigest,
    receipt_key: keyset.receipt_key,
    lane: keyset.lane,
    policy: trust.policy,
    roots: trust.roots.map((root) => toBase64url(root)),
    tpm_roots: (trust.tpmRoots ?? []).map(({ kind, certificate }) => ({
      kind,
      certificate: toBase64url(certificate),
    })),
    session_id: begun.sessionId,
    role: begun.role,
    did: identity.did,
    seats: begun.seats,
    contract: begun.contract,
    nonce,
    tag: claim.tag,
    limit_millibits: claim.limit_millibits,
    claimed: claim.head === null ? null : claimedOf(claim.head),
    seq,
    offer: null,
    artefacts: NO_ARTEFACTS,
    ledger_entry: null,
    consent: null,
    input: null,
    encapsulations: [],
    input_accepted: false,
  }
}

const keyIdOf = (ohttpKeys: string): number => parseKeyConfigs(fromBase64url(ohttpKeys))[0]?.keyId ?? 0

const claimedOf = (entry: LedgerEntry): SessionRecord['claimed'] => ({
  head: ledgerHead(entry),
  seq: entry.seq,
  after_millibits: entry.after_millibits,
  limit_millibits: entry.limit_millibits,
})
