import * as v from 'valibot'
import { fromHex, toHex } from '../bytes.js'
import { labelledBytes, labelledSha512 } from '../digest.js'
import type { Ed25519PublicKey, SigningKey } from '../ed25519.js'
import type { JsonObject } from '../json-value.js'
import { type Lane, label } from '../labels.js'
import { leafHash, rootFromInclusion } from '../merkle.js'
import { signObject, verifyObject } from '../signed-object.js'
import { bootEvidence } from './boot-evidence.js'
import { base64url, base64urlUpTo, digest, integer } from './formats.js'

const certificate = base64urlUpTo(8192)

const hardware = v.strictObject({
  report: base64url(1184),
  leaf_certificate: certificate,
  intermediate_certificate: certificate,
  root_certificate: certificate,
  crl: v.nullable(base64urlUpTo(65_536)),
  // Null until something here verifies it (SPEC §8).
  firmware_endorsement: v.null(),
  boot_evidence: v.nullable(bootEvidence),
})

export const binding = v.strictObject({
  tree_size: integer(1, 65_536),
  leaf_index: integer(0, 65_535),
  path: v.pipe(v.array(digest), v.maxLength(16)),
  possession: base64url(64),
  hardware: v.nullable(hardware),
})

/** How one leaf hangs on a report: inclusion path, proof of possession by the receipt key, the report (SPEC §8). */
export type Binding = v.InferOutput<typeof binding>

/** A report with the certificates that verify it, the root's CRL or null, and what a TPM attests beside it or null. */
export type Hardware = v.InferOutput<typeof hardware>

/** What a tree of leaves commits to. */
export type TreeHead = { readonly keyset_digest: string; readonly tree_size: number; readonly root: string }

/** The kinds of leaf. */
export type LeafPurpose = 'keyset' | 'offer' | 'receipt'

/** RFC 6962 leaf hash of `label ‖ 0x00 ‖ JCS(object)`, 32 octets. */
export function purposeLeaf(lane: Lane, purpose: LeafPurpose, object: JsonObject): Uint8Array {
  return leafHash(labelledBytes(label(lane, `leaf/${purpose}`), object))
}

/** The 64 octets that a report must carry as REPORT_DATA: SHA-512 of the labelled tree head. */
export function reportDataOf(lane: Lane, head: TreeHead): Uint8Array {
  return labelledSha512(label(lane, 'report-data'), head)
}

/** The receipt key's signature over a tree head, base64url. */
export function signPossession(lane: Lane, head: TreeHead, receiptKey: SigningKey): string {
  return signObject(label(lane, 'possession'), head, receiptKey)
}

/**
 * The tree head that a leaf and its path lead to, with the receipt key's possession verified.
 * @throws ProtocolError tree_malformed, signature_invalid
 */
export function verifyBinding(
  lane: Lane,
  read: Binding,
  leaf: Uint8Array,
  keys: { readonly keysetDigest: string; readonly receiptKey: Ed25519PublicKey },
): TreeHead {
  const root = rootFromInclusion({
    leafHash: leaf,
    index: read.leaf_index,
    size: read.tree_size,
    path: read.path.map((node) => fromHex(node, 32)),
  })
  const head = { keyset_digest: keys.keysetDigest, tree_size: read.tree_size, root: toHex(root) }
  verifyObject(label(lane, 'possession'), head, read.possession, keys.receiptKey)
  return head
}
