import {
  AUDIT_GENESIS,
  type AuditEvent,
  type AuditOpening,
  auditEntryHash,
  auditLeaf,
  logOrigin,
  MerkleTree,
  parseAuditEntry,
  signCheckpoint,
  toBase64url,
  toHex,
} from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { RelayKeys } from '../keys/relay-keys.js'

const SALT_BYTES = 32

/** That an entry is in the log: its opening, its leaf, and a checkpoint that covers it. */
export type AuditProof = {
  readonly opening: AuditOpening
  readonly leaf_index: number
  readonly leaf_hash: string
  readonly path: readonly string[]
  readonly checkpoint: string
}

/** What a chain stands on. */
export type ChainDeps = {
  readonly keys: Pick<RelayKeys, 'keyset' | 'logKey'>
  readonly clock: Pick<Clock, 'nowSeconds'>
  readonly random: (size: number) => Uint8Array
}

type Head = { readonly previous: string; readonly checkpoint: string }
type Leaf = { readonly opening: AuditOpening; readonly index: number; readonly hash: Uint8Array }

/** The hash chain of one epoch in memory, and the tree over it. Nobody sees an entry that was not kept. */
export class AuditChain {
  readonly #deps: ChainDeps
  readonly #tree = new MerkleTree()
  #kept: Head
  #size = 0

  constructor(deps: ChainDeps) {
    this.#deps = deps
    this.#kept = { previous: AUDIT_GENESIS, checkpoint: this.#sign() }
  }

  /** The checkpoint over all that was kept. */
  get checkpoint(): string {
    return this.#kept.checkpoint
  }

  /**
   * The next entries, with their proofs under the one checkpoint that covers them all. They are in the chain once
   * `commit` has resolved, and as if they had never been if it rejects; one proposal at a time.
   */
  async add(
    events: readonly AuditEvent[],
    commit: (proofs: readonly AuditProof[]) => Promise<void>,
  ): Promise<readonly AuditProof[]> {
    try {
      const head = { previous: this.#kept.previous }
      const leaves = events.map((event) => this.#append(event, head))
      const checkpoint = this.#sign()
      const proofs = leaves.map((leaf) => this.#prove(leaf, checkpoint))
      await commit(proofs)
      this.#kept = { previous: head.previous, checkpoint }
      this.#size = this.#tree.size
      return proofs
    } catch (error) {
      // Not on the disk, so never in the log: nobody has seen the checkpoint that covered them.
      this.#tree.truncate(this.#size)
      throw error
    }
  }

  #append(event: AuditEvent, head: { previous: string }): Leaf {
    const { keys, clock, random } = this.#deps
    const { lane } = keys.keyset
    const entry = parseAuditEntry({
      version: 'parley-audit-v1',
      seq: this.#tree.size,
      at: clock.nowSeconds(),
      previous: head.previous,
      ...event,
    })
    const opening = { entry, salt: toBase64url(random(SALT_BYTES)) }
    const hash = auditLeaf(lane, opening)
    head.previous = auditEntryHash(lane, entry)
    return { opening, hash, index: this.#tree.append(hash) }
  }

  #prove({ opening, index, hash }: Leaf, checkpoint: string): AuditProof {
    const path = this.#tree.inclusionPath(index).map(toHex)
    return { opening, leaf_index: index, leaf_hash: toHex(hash), path, checkpoint }
  }

  #sign(): string {
    const { keyset, logKey } = this.#deps.keys
    const { size } = this.#tree
    return signCheckpoint({ origin: logOrigin(keyset.epoch), size, root: this.#tree.root() }, logKey)
  }
}
