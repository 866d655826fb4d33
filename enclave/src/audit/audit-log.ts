import {
  AUDIT_GENESIS,
  type AuditEntry,
  type AuditOpening,
  auditEntryHash,
  auditLeaf,
  canonicalBytes,
  logOrigin,
  MerkleTree,
  parseAuditEntry,
  signCheckpoint,
  toBase64url,
  toHex,
} from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import { createSerial } from '../session/serial.js'
import type { Store, Write } from '../store/store.js'

const SALT_BYTES = 32

/** What is appended: an event and its fields; the log adds number, time and chain. */
export type AuditEvent = AuditEntry extends infer Each
  ? Each extends AuditEntry
    ? { readonly event: Each['event']; readonly fields: Each['fields'] }
    : never
  : never

/** That an entry is in the log: its opening, its leaf, and the checkpoint that covers it. */
export type AuditProof = {
  readonly opening: AuditOpening
  readonly leaf_index: number
  readonly leaf_hash: string
  readonly path: readonly string[]
  readonly checkpoint: string
}

/** The relay's hash-chained log; one chain an epoch. */
export type AuditLog = {
  /**
   * Appends one entry, durable before this resolves. `withProof` is called with the proof under the checkpoint that
   * includes the entry, and returns further writes for the same transaction. Calls are serialised; if `withProof`
   * throws or the commit fails, the log is unchanged and the promise rejects.
   * @throws RelayError as the store's commit
   */
  readonly append: (
    event: AuditEvent,
    withProof?: (proof: AuditProof) => readonly Write[],
  ) => Promise<AuditProof>
  /** The latest checkpoint, a C2SP signed note. */
  readonly checkpoint: () => string
}

/** What the log stands on. */
export type AuditDeps = {
  readonly keys: Pick<RelayKeys, 'keyset' | 'logKey'>
  readonly store: Store
  readonly clock: Pick<Clock, 'nowSeconds'>
  readonly random: (size: number) => Uint8Array
}

/** The log of one epoch. It begins empty: its key and its origin are as new as the epoch. */
export function openAuditLog({ keys, store, clock, random }: AuditDeps): AuditLog {
  const { lane, epoch } = keys.keyset
  const leaves: Uint8Array[] = []
  let tree = new MerkleTree()
  let previous = AUDIT_GENESIS
  const signHead = (): string =>
    signCheckpoint({ origin: logOrigin(epoch), size: tree.size, root: tree.root() }, keys.logKey)
  let latest = signHead()
  const propose = (event: AuditEvent): { proof: AuditProof; leaf: Uint8Array } => {
    const seq = tree.size
    const entry = parseAuditEntry({
      version: 'parley-audit-v1',
      seq,
      at: clock.nowSeconds(),
      previous,
      ...event,
    })
    const opening = { entry, salt: toBase64url(random(SALT_BYTES)) }
    const leaf = auditLeaf(lane, opening)
    tree.append(leaf)
    const path = tree.inclusionPath(seq).map(toHex)
    return { leaf, proof: { opening, leaf_index: seq, leaf_hash: toHex(leaf), path, checkpoint: signHead() } }
  }
  const append = async (
    event: AuditEvent,
    withProof?: (proof: AuditProof) => readonly Write[],
  ): Promise<AuditProof> => {
    try {
      const { proof, leaf } = propose(event)
      const value = canonicalBytes(proof.opening)
      const entry: Write = { kind: 'append', log: `audit/${epoch}`, index: proof.leaf_index, value }
      await store.commit([entry, ...(withProof?.(proof) ?? [])])
      leaves.push(leaf)
      latest = proof.checkpoint
      previous = auditEntryHash(lane, proof.opening.entry)
      return proof
    } catch (error) {
      // The entry is not on the disk, so it never was in the log: nobody has seen the checkpoint that covered it.
      tree = new MerkleTree(leaves)
      throw error
    }
  }
  const serial = createSerial()
  return { append: (event, withProof) => serial(() => append(event, withProof)), checkpoint: () => latest }
}
