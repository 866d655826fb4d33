import { subjectPseudonym } from '@parley/guardian'
import { type AuditEvent, parseCanonicalJson, parseKeyset } from '@parley/protocol'
import { forgetSession } from '../release/session-record.js'
import { participantKey } from '../session/participant-key.js'
import type { Services } from '../session/services.js'
import type { Write } from '../store/store.js'
import { type EndedEntries, endedSessions } from './ended-sessions.js'
import { erasingWrite, lateWrite } from './erased-log.js'
import { auditLogOf, KEYSETS } from './log-places.js'

/** What an erasure did. */
export type Erasure = {
  /** Sessions whose record and entries are gone. */
  readonly sessions: number
  /** Entries of the log that are gone. */
  readonly records: number
  /** Sessions that go on, or ended so lately that another participant may still fetch the result: they stay. */
  readonly open: number
}

/** What an erasure stands on. */
export type ErasureDeps = Pick<
  Services,
  'store' | 'audit' | 'keys' | 'clock' | 'random' | 'bundle' | 'table' | 'inbox' | 'acquaintance'
>

/** What one log has to give up. */
type Part = {
  readonly epoch: string
  readonly entries: readonly Uint8Array[]
  readonly sessions: readonly EndedEntries[]
}

const SALT_BYTES = 32

/**
 * Erases what a relay holds of a participant's key: the records of its sessions that are over, their entries in the logs of
 * all epochs with their salts, and where no session of it stays its inbox and whom it knows. That is one transaction,
 * and `erasure.applied` is in it: under a pseudonym whose salt nobody keeps. Chains, trees, checkpoints and proofs stay
 * valid. The ledger stays, which bounds what others may be told of its owner's secrets.
 * @throws RelayError as the store's commit
 * @see protocol SPEC "Audit log"
 */
export const eraseSubject = async (deps: ErasureDeps, did: string): Promise<Erasure> => {
  const key = participantKey(did)
  const parts = partsOf(deps, key)
  const young = parts.flatMap((part) => part.sessions).filter((each) => !isOver(deps, each)).length
  const due = parts.map((part) => ({ ...part, sessions: part.sessions.filter((each) => isOver(deps, each)) }))
  const sessions = due.flatMap((part) => part.sessions)
  const records = sessions.reduce((sum, { places }) => sum + places.length, 0)
  const erasure = { sessions: sessions.length, records, open: young + liveOf(deps, key) }
  const isNothing = sessions.length === 0 && (erasure.open > 0 || deps.inbox.last(key) === 0)
  if (isNothing) return erasure
  // Looked at again with the commit: a session may have begun, or one that went on may have ended, by then.
  const mine = (): readonly Write[] =>
    erasure.open + liveOf(deps, key) > 0 ? [] : ownWrites(deps, key, sessions)
  await commit(deps, did, due, mine)
  for (const { id } of sessions) deps.table.remove(id)
  return erasure
}

const liveOf = ({ table }: ErasureDeps, key: string): number =>
  table.live().filter(({ current }) => hasSeat(current, key)).length

const partsOf = ({ store }: ErasureDeps, key: string): readonly Part[] =>
  epochsIn(store.log(KEYSETS)).map((epoch) => {
    const entries = Array.from(store.log(auditLogOf(epoch)))
    return { epoch, entries, sessions: endedSessions(store, entries, key) }
  })

const epochsIn = (keysets: Iterable<Uint8Array>): readonly string[] =>
  Array.from(keysets, (keyset) => parseKeyset(parseCanonicalJson(keyset)).epoch)

/** By the lifetime of a session: the others had as long to fetch what it came to. */
const isOver = ({ clock, bundle }: ErasureDeps, { endedAt }: EndedEntries): boolean =>
  endedAt + bundle.limits.session_ttl_seconds <= clock.nowSeconds()

type Seated = { readonly seats: readonly { readonly did: string | null }[] }

const hasSeat = ({ seats }: Seated, key: string): boolean =>
  seats.some(({ did }) => did !== null && participantKey(did) === key)

const ownWrites = (
  { inbox, acquaintance }: ErasureDeps,
  key: string,
  sessions: readonly EndedEntries[],
): readonly Write[] => {
  const others = new Set(sessions.flatMap(({ keys }) => keys).filter((each) => each !== key))
  return [...inbox.forget(key), ...acquaintance.forget(key, [...others])]
}

/** The log of this epoch takes its entry as always; those of earlier ones get theirs beside it. */
const commit = async (
  deps: ErasureDeps,
  did: string,
  parts: readonly Part[],
  mine: () => readonly Write[],
): Promise<void> => {
  const { keys, audit, random } = deps
  const { lane, epoch: current } = keys.keyset
  const subject = subjectPseudonym(random(SALT_BYTES), did)
  const told = (part: Part | undefined): AuditEvent => ({
    event: 'erasure.applied',
    fields: {
      subject,
      records: part?.sessions.reduce((sum, { places }) => sum + places.length, 0) ?? 0,
      files: part?.sessions.length ?? 0,
    },
  })
  const late = parts.filter(({ epoch, sessions }) => epoch !== current && sessions.length > 0)
  const writes = (): readonly Write[] => [
    ...parts.flatMap((part) => erasingWrites(lane, part)),
    ...late.map((part) =>
      lateWrite({
        ...{ lane, log: auditLogOf(part.epoch), entries: part.entries, event: told(part) },
        ...{ at: deps.clock.nowSeconds(), salt: random(SALT_BYTES) },
      }),
    ),
    ...mine(),
  ]
  await audit.append(told(parts.find(({ epoch }) => epoch === current)), writes)
}

const erasingWrites = (lane: ErasureDeps['keys']['keyset']['lane'], part: Part): readonly Write[] =>
  part.sessions.flatMap(({ id, places }) => [
    ...places.map((place) =>
      erasingWrite(lane, auditLogOf(part.epoch), place, part.entries[place] ?? new Uint8Array()),
    ),
    forgetSession(id),
  ])
