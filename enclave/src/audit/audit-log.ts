import { type AuditEvent, canonicalBytes, fromHex, utf8 } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import type { Store, Write } from '../store/store.js'
import { auditLogOf, checkpointOf } from './log-places.js'
import { AuditChain, type AuditProof, type ChainDeps } from './audit-chain.js'

export type { AuditEvent } from '@parley/protocol'
export type { AuditProof } from './audit-chain.js'

const LEAF_BYTES = 32

/** The relay's hash-chained log; one chain an epoch. */
export type AuditLog = {
  /**
   * Appends one entry, durable before this resolves. `withProof` is called with the proof under a checkpoint that
   * includes the entry, and returns further writes for the same transaction. What is appended while another commit is
   * under way shares the next one, in the order in which it came; where such a group is refused, each is tried by
   * itself, so `withProof` may be called twice, and only the last call counts. If `withProof` throws or the commit
   * fails, the entry is not in the log and the promise rejects.
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
export type AuditDeps = ChainDeps & { readonly store: Store }

type Waiting = {
  readonly event: AuditEvent
  readonly writes: (proof: AuditProof) => readonly Write[]
  readonly resolve: (proof: AuditProof) => void
  readonly reject: (error: unknown) => void
}

/** The log of one epoch. It begins empty: its key and its origin are as new as the epoch. */
export function openAuditLog(deps: AuditDeps): AuditLog {
  const chain = new AuditChain(deps)
  let waiting: Waiting[] = []
  let isBusy = false
  // After this turn of the event loop: what its requests bring is one group, with one signature and one flush.
  const schedule = (): void => void setImmediate(() => void drain())
  const drain = async (): Promise<void> => {
    const group = waiting
    waiting = []
    isBusy = true
    await appendGroup(chain, deps, group)
    isBusy = false
    if (waiting.length > 0) schedule()
  }
  return {
    append: (event, withProof) =>
      new Promise((resolve, reject) => {
        const isFirst = waiting.push({ event, writes: withProof ?? (() => []), resolve, reject }) === 1
        if (isFirst && !isBusy) schedule()
      }),
    checkpoint: () => chain.checkpoint,
  }
}

async function appendGroup(chain: AuditChain, deps: AuditDeps, group: readonly Waiting[]): Promise<void> {
  try {
    const events = group.map(({ event }) => event)
    const proofs = await chain.add(events, (proposed) => deps.store.commit(writesOf(deps, group, proposed)))
    proofs.forEach((proof, index) => group[index]?.resolve(proof))
  } catch (error) {
    // A disk that failed fails them all; anything else is the doing of one, and must not be the others' end.
    if (group.length === 1 || isDiskFailure(error)) for (const { reject } of group) reject(error)
    else for (const each of group) await appendGroup(chain, deps, [each])
  }
}

/**
 * The entries, what goes with them, and the checkpoint that covers them all: one transaction. Of a sealed store the disk's
 * owner reads salted leaf hashes and checkpoints: how many entries there are, which it sees anyway, and nothing of them.
 */
const writesOf = (
  { keys }: AuditDeps,
  group: readonly Waiting[],
  proofs: readonly AuditProof[],
): readonly Write[] => {
  const { epoch } = keys.keyset
  const writes = proofs.flatMap((proof, index): readonly Write[] => {
    const value = canonicalBytes(proof.opening)
    const shown = fromHex(proof.leaf_hash, LEAF_BYTES)
    const entry: Write = { kind: 'append', log: auditLogOf(epoch), index: proof.leaf_index, value, shown }
    return [entry, ...(group[index]?.writes(proof) ?? [])]
  })
  const [{ checkpoint } = { checkpoint: '' }] = proofs
  const note = utf8(checkpoint)
  return [...writes, { kind: 'put', key: checkpointOf(epoch), value: note, shown: note }]
}

const isDiskFailure = (error: unknown): boolean =>
  error instanceof RelayError && error.code === 'store_failed'
