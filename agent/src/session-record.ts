import {
  type Artefacts,
  type Consent,
  type Contract,
  type Ed25519PublicKey,
  fromBase64url,
  type JsonValue,
  type Lane,
  LANES,
  type LedgerEntry,
  type Offer,
  parseArtefacts,
  parseConsent,
  parseContract,
  parseEd25519PublicKey,
  parseOffer,
  type Role,
  ROLES,
  verifyLedgerEntry,
} from '@parley/protocol'
import * as v from 'valibot'
import { json } from './read-state.js'
import type { TpmRoot, Trust } from './trust.js'

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const claimed = v.strictObject({ head: digest, seq: count, after_millibits: count, limit_millibits: count })

/** The form of a session file. */
export const sessionSchema = v.strictObject({
  version: v.literal('parley-session-v1'),
  relay: v.string(),
  key_id: v.pipe(count, v.maxValue(255)),
  keyset_digest: digest,
  receipt_key: v.string(),
  lane: v.picklist(LANES),
  policy: json,
  roots: v.array(v.string()),
  tpm_roots: v.array(v.strictObject({ kind: v.picklist(['google', 'simulated']), certificate: v.string() })),
  session_id: digest,
  role: v.picklist(ROLES),
  did: v.string(),
  seats: v.array(v.nullable(v.string())),
  contract: json,
  nonce: v.string(),
  tag: v.string(),
  limit_millibits: count,
  claimed: v.nullable(claimed),
  seq: count,
  offer: v.nullable(json),
  artefacts: json,
  ledger_entry: v.nullable(json),
  consent: v.nullable(json),
  input: v.nullable(v.strictObject({ input: json, salt: v.string() })),
  encapsulations: v.array(digest),
  input_accepted: v.boolean(),
})

/** A participant's own record of one session: what the relay's word is held against at the end. */
export type SessionRecord = {
  readonly version: 'parley-session-v1'
  /** Address of the relay's proxy. */
  readonly relay: string
  readonly key_id: number
  readonly keyset_digest: string
  readonly receipt_key: string
  readonly lane: Lane
  readonly policy: JsonValue
  readonly roots: readonly string[]
  readonly tpm_roots: readonly { readonly kind: TpmRoot['kind']; readonly certificate: string }[]
  readonly session_id: string
  readonly role: Role
  /** The participant's own DID. */
  readonly did: string
  /** The DIDs that were named when the session was created, in role order; null where whoever joins is accepted. */
  readonly seats: readonly (string | null)[]
  readonly contract: Contract
  readonly nonce: string
  readonly tag: string
  readonly limit_millibits: number
  /** The ledger head that create or join claimed to hold. */
  readonly claimed: v.InferOutput<typeof claimed> | null
  /** The last `parley-seq` that may have been sent. */
  readonly seq: number
  /** The offer, once it has been appraised as what was expected. */
  readonly offer: Offer | null
  /** What came with it: whatever the contract names by hash alone. Empty before. */
  readonly artefacts: Artefacts
  /** The entry that the offer's own head stands for. */
  readonly ledger_entry: LedgerEntry | null
  /** The consent, once it may have been sent. */
  readonly consent: Consent | null
  /** The input and its salt, once they may have been sent: on this disk only, so that a bundle can open them. */
  readonly input: { readonly input: JsonValue; readonly salt: string } | null
  /** Digests of the encapsulations that may have carried the input. */
  readonly encapsulations: readonly string[]
  /** Whether the relay said that it took the input. */
  readonly input_accepted: boolean
}

/**
 * Reads the parts of a session file that are objects of the protocol.
 * @throws ProtocolError object_malformed, key_refused, signature_invalid
 */
export const parseSessionRecord = (read: v.InferOutput<typeof sessionSchema>): SessionRecord => {
  const receiptKey = receiptKeyOf(read)
  return {
    ...read,
    contract: parseContract(read.contract),
    artefacts: parseArtefacts(read.artefacts),
    offer: read.offer === null ? null : parseOffer(read.offer),
    ledger_entry: read.ledger_entry === null ? null : verifyLedgerEntry(read.ledger_entry, receiptKey),
    consent: read.consent === null ? null : parseConsent(read.consent),
  }
}

/** The relay's receipt key, as it was when the session began. @throws ProtocolError key_refused */
export const receiptKeyOf = ({ receipt_key }: Pick<SessionRecord, 'receipt_key'>): Ed25519PublicKey =>
  parseEd25519PublicKey(fromBase64url(receipt_key, 32))

/** What the relay was judged by when the session was begun. */
export const recordedTrust = ({ policy, roots, tpm_roots }: SessionRecord): Trust => ({
  policy,
  roots: roots.map((root) => fromBase64url(root)),
  tpmRoots: tpm_roots.map(({ kind, certificate }) => ({ kind, certificate: fromBase64url(certificate) })),
})
