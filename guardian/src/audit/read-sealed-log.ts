import {
  fromBase64url,
  fromHex,
  isJsonObject,
  MerkleTree,
  parseCanonicalJson,
  ProtocolError,
} from '@parley/protocol'
import type { AuditFault } from './read-audit-log.js'

/** The log of a relay that only its guest opens, as far as its lines can be read. */
export type SealedLog = { readonly tree: MerkleTree; readonly fault: AuditFault | null }

/** True for a line of a log whose entries are sealed. */
export const isSealedLine = (line: string): boolean => line.startsWith('{"leaf_hash":')

/**
 * Reads the lines {leaf_hash, sealed} of a sealed log. That each entry names the one before, only its relay can check: the
 * hash of an entry has no salt, and would tell of it. The tree over the leaves holds what checkpoints and proofs say.
 * @see protocol SPEC "Audit log"
 */
export const readSealedLog = (lines: readonly string[]): SealedLog => {
  const tree = new MerkleTree()
  for (const line of lines) {
    const leaf = leafOf(line)
    if (leaf === null) return { tree, fault: { code: 'record_malformed', seq: tree.size } }
    tree.append(leaf)
  }
  return { tree, fault: null }
}

const leafOf = (line: string): Uint8Array | null => {
  try {
    const value = parseCanonicalJson(line)
    if (!isJsonObject(value) || Object.keys(value).length !== 2) return null
    const { leaf_hash, sealed } = value
    if (typeof leaf_hash !== 'string' || typeof sealed !== 'string') return null
    fromBase64url(sealed)
    return fromHex(leaf_hash, 32)
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}
