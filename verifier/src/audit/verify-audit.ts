import { isSealedLine, readAuditLog, readSealedLog, type SealedLog } from '@parley/guardian'
import {
  type CheckpointHead,
  type Ed25519PublicKey,
  type Lane,
  openCheckpoint,
  ProtocolError,
  toHex,
} from '@parley/protocol'
import { type AuditCheck, attemptedCheck, auditExitCode, failedCheck, heldCheck } from './audit-check.js'
import { checkGrowth, checkInclusion } from './check-proof.js'
import { findForks, type Fork, type Signed } from './find-forks.js'
import type { Held } from './held.js'

/** What a log is judged by. */
export type AuditToVerify = {
  readonly lane: Lane
  /** Whose log, as its checkpoints name it. */
  readonly origin: string
  readonly key: Ed25519PublicKey
  /** The lines of the log; null where only what is held of it is compared. */
  readonly log: { readonly name: string; readonly lines: readonly string[] } | null
  readonly held: readonly Held[]
}

/** What a log, and what is held of it, come to. */
export type AuditReport = {
  readonly holds: boolean
  /** 0 holds · 2 a checkpoint is not of this key · 4 something does not match · 5 malformed */
  readonly exit_code: 0 | 2 | 4 | 5
  /** Of the log, where it is given. */
  readonly size: number | null
  readonly root: string | null
  readonly checks: readonly AuditCheck[]
  readonly forks: readonly Fork[]
}

/**
 * Checks a log, checkpoints and proofs of it, and that all of them are of one log that only grew. Opens no socket. What
 * nothing speaks against is not thereby shown: see {@link findForks}.
 * @see protocol SPEC "Audit log"
 */
export const verifyAudit = (terms: AuditToVerify): AuditReport => {
  const { lane, log, held } = terms
  const reading = log === null ? null : readLog(lane, log.lines)
  const judged = held.map((each) => judgeHeld(terms, each))
  const signed = judged.flatMap((each) => each.signed)
  const forks = findForks(signed)
  const checks = [
    ...(log === null || reading === null ? [] : [chainCheck(log.name, reading)]),
    ...judged.flatMap((each) => each.checks),
    ...(reading === null ? [] : signed.map((each) => logCheck(reading, each))),
    ...forks.map(({ one, other, why }) => failedCheck(`${one.name}, ${other.name}`, 'one_log', 'fork', why)),
  ]
  const exit_code = auditExitCode(checks)
  const tree = reading?.tree
  const [size, root] = tree === undefined ? [null, null] : [tree.size, toHex(tree.root())]
  return { holds: exit_code === 0, exit_code, size, root, checks, forks }
}

type Reading = SealedLog & { readonly check: 'chain' | 'leaves' }

// Sealed lines tell less than entries: where everything is in the clear, they would hide what does not fit.
const readLog = (lane: Lane, lines: readonly string[]): Reading =>
  lane === 'confidential' && isSealedLine(lines[0] ?? '')
    ? { ...readSealedLog(lines), check: 'leaves' }
    : { ...readAuditLog(lane, lines), check: 'chain' }

const chainCheck = (of: string, { fault, check }: Reading): AuditCheck =>
  fault === null ? heldCheck(of, check) : failedCheck(of, check, fault.code, `entry ${fault.seq}`)

type Judged = { readonly checks: readonly AuditCheck[]; readonly signed: readonly Signed[] }

/** What one held thing says by itself; only what is signed, and proven under it, is compared with others. */
const judgeHeld = (terms: AuditToVerify, held: Held): Judged => {
  const { name, inclusion, earlier } = held
  const [note, head] = opened(terms, name, held.checkpoint)
  if (head === null) return { checks: [note], signed: [] }
  const checks = [note]
  const signed: Signed[] = []
  let leaf: Signed['leaf'] = null
  if (inclusion !== null) {
    const check = attemptedCheck(name, 'inclusion', () => {
      checkInclusion(terms.lane, inclusion, head)
    })
    checks.push(check)
    if (check.code === null) leaf = { index: inclusion.leaf_index, hash: inclusion.leaf_hash }
  }
  if (earlier !== null) {
    const [earlierNote, first] = opened(terms, `${name} (first)`, earlier.checkpoint)
    checks.push(earlierNote)
    if (first !== null) {
      checks.push(
        attemptedCheck(name, 'consistency', () => {
          checkGrowth(first, head, earlier.path)
        }),
      )
      signed.push({ name: `${name} (first)`, checkpoint: earlier.checkpoint, head: first, leaf: null })
    }
  }
  return { checks, signed: [{ name, checkpoint: held.checkpoint, head, leaf }, ...signed] }
}

const opened = (
  { origin, key }: AuditToVerify,
  of: string,
  text: string,
): readonly [AuditCheck, CheckpointHead | null] => {
  try {
    return [heldCheck(of, 'checkpoint'), openCheckpoint(text, { origin, publicKey: key })]
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return [failedCheck(of, 'checkpoint', error.code, error.message), null]
  }
}

/** The log as it is now must begin with whatever was signed of it. */
const logCheck = ({ tree }: Reading, { name, head }: Signed): AuditCheck => {
  if (head.size > tree.size)
    return failedCheck(name, 'in_log', 'log_truncated', `${head.size} entries were signed, ${tree.size} hold`)
  return toHex(tree.root(head.size)) === toHex(head.root)
    ? heldCheck(name, 'in_log')
    : failedCheck(name, 'in_log', 'log_differs', `not the first ${head.size} entries that were signed`)
}
