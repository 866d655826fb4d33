import * as v from 'valibot'
import { toHex } from '../bytes.js'
import { labelledDigest } from '../digest.js'
import type { Ed25519PublicKey, SigningKey } from '../ed25519.js'
import type { JsonValue } from '../json-value.js'
import { label } from '../labels.js'
import { signObject, verifyObject } from '../signed-object.js'
import { capacity } from './capacity.js'
import { decode } from './decode.js'
import { base64url, did, digest, hex, integer, lane, name, time } from './formats.js'
import { role, rows } from './role.js'
import { terms } from './terms.js'

const party = v.strictObject({ role, participant_id: name, did, nonce: base64url(32) })
const charge = v.strictObject({ role, head: digest, charge_millibits: integer(0) })

export const offer = v.strictObject({
  version: v.literal('parley-offer-v1'),
  lane,
  session_id: hex(32),
  ...terms,
  capacity,
  participants: rows(party),
  open_join: v.boolean(),
  policy_bundle_hash: digest,
  profile_hash: digest,
  ledger: rows(charge),
  release_bytes: integer(1),
  keyset_digest: digest,
  created_at: time,
  expires_at: time,
  signature: base64url(64),
})

/** A session's terms before any input, signed by the relay's receipt key (SPEC §9). */
export type Offer = v.InferOutput<typeof offer>

export const coherentOffer = v.pipe(
  offer,
  v.check((read) => read.participants.length === read.ledger.length, 'a charge for each participant'),
  v.check((read) => read.created_at < read.expires_at, 'created before it expires'),
)

/**
 * Reads an offer; its rows stand in role order.
 * @throws ProtocolError object_malformed
 */
export function parseOffer(value: JsonValue): Offer {
  return decode(coherentOffer, value, 'offer')
}

/** Lower-case hex digest of an offer: the 32 octets that the relay signs and that every consent names. */
export function offerDigest(read: Offer): string {
  const { signature: _, ...unsigned } = read
  return toHex(labelledDigest(label(read.lane, 'offer'), unsigned))
}

/** Signs an offer with the receipt key. */
export function signOffer(unsigned: Omit<Offer, 'signature'>, receiptKey: SigningKey): Offer {
  return { ...unsigned, signature: signObject(label(unsigned.lane, 'offer'), unsigned, receiptKey) }
}

/**
 * Verifies the relay's signature on an offer.
 * @throws ProtocolError signature_invalid
 */
export function verifyOffer(read: Offer, receiptKey: Ed25519PublicKey): void {
  const { signature, ...unsigned } = read
  verifyObject(label(read.lane, 'offer'), unsigned, signature, receiptKey)
}
