import * as v from 'valibot'
import type { JsonValue } from '../json-value.js'
import { binding, purposeLeaf } from './binding.js'
import { decode } from './decode.js'
import { base64url } from './formats.js'
import { type Keyset, keyset, keysetDigest, parseKeyset } from './keyset.js'

const evidence = v.strictObject({
  version: v.literal('parley-evidence-v1'),
  keyset,
  nonce: v.nullable(base64url(32)),
  binding,
})

/** A self-contained statement that a keyset belongs to one measured relay (SPEC §8). */
export type Evidence = v.InferOutput<typeof evidence>

const coherentEvidence = v.pipe(
  evidence,
  v.check(
    (read) => (read.keyset.lane === 'confidential') === (read.binding.hardware !== null),
    'hardware by lane',
  ),
)

/**
 * Reads an evidence document. Nothing is proven by that.
 * @throws ProtocolError object_malformed; also where hardware is present in the software lane or absent in the other.
 */
export function parseEvidence(value: JsonValue): Evidence {
  const read = decode(coherentEvidence, value, 'evidence')
  parseKeyset(read.keyset)
  return read
}

/** The leaf by which a report binds a keyset and, for a caller, that caller's nonce (base64url, 32 octets; null at boot). */
export function keysetLeaf(of: Keyset, nonce: string | null): Uint8Array {
  return purposeLeaf(of.lane, 'keyset', { keyset_digest: keysetDigest(of), nonce })
}
