import type { Clock } from '../clock.js'
import type { Limits } from '../policy-bundle.js'
import { readRecord, type SessionRecord } from '../release/session-record.js'
import type { Store } from '../store/store.js'
import { participantKey } from './participant-key.js'
import { refuse, type Refused } from './refuse.js'
import { createSerial, type Serial } from './serial.js'
import type { EndedSeat, EndedSession, LiveSession, Session } from './session.js'

/** The place where a session stands. Only what runs in `serial` may put another value there. */
export type Cell = {
  current: Session
  readonly serial: Serial
  /** The last accepted `parley-seq` of each participant. */
  readonly seqs: Map<string, number>
}

/** All sessions that this relay knows: the live ones, some that ended, and the store's records behind them. */
export type SessionTable = {
  readonly find: (id: string) => Cell | undefined
  readonly add: (session: LiveSession) => Cell
  readonly remove: (id: string) => void
  readonly live: () => readonly Cell[]
  /** Whether a participant may take part in one more session. */
  readonly hasRoomFor: (did: string) => Refused | undefined
  /** Whether the contracts of live sessions leave room for one more, in canonical bytes. */
  readonly hasRoomForContract: (bytes: number) => Refused | undefined
  /** Accepts an input of so many canonical bytes, if the inputs that wait or are being accepted leave room for it. */
  readonly holdingInput: <T>(bytes: number, accept: () => Promise<T>) => Promise<T | Refused>
  /** Counts the inputs that an evaluation holds for as long as it takes: a model may be asked for minutes. */
  readonly countingInputs: <T>(bytes: number, evaluate: () => Promise<T>) => Promise<T>
}

type Bounds = Pick<
  Limits,
  'sessions' | 'sessions_per_participant' | 'open_contract_bytes' | 'open_input_bytes'
>

/** A table over a store, bounded in memory: of ended sessions it forgets the oldest, whose records stay. */
export function createSessionTable(store: Store, clock: Clock, bounds: Bounds): SessionTable {
  const cells = new Map<string, Cell>()
  // Apart from the many that ended, which are kept to be asked for.
  const begun = new Map<string, Cell>()
  const trim = (): void => {
    if (cells.size < 2 * bounds.sessions) return
    const now = clock.nowMs()
    const seen = [...cells.values()].filter(
      ({ current }) => current.kind === 'ended' && current.releaseAtMs <= now,
    )
    for (const { current } of seen.slice(0, -bounds.sessions)) cells.delete(current.id)
  }
  const keep = (id: string, current: Session): Cell => {
    trim()
    const cell: Cell = { current, serial: createSerial(), seqs: new Map() }
    cells.set(id, cell)
    return cell
  }
  const live = (): Cell[] => {
    for (const [id, { current }] of begun) if (current.kind === 'ended') begun.delete(id)
    return [...begun.values()]
  }
  const held = (bytesOf: (session: LiveSession) => number): number =>
    live().reduce((sum, { current }) => sum + (current.kind === 'live' ? bytesOf(current) : 0), 0)
  // In no session: inputs that arrive, which could pass the bound together, and those that are evaluated.
  let outside = 0
  const countingInputs = async <T>(bytes: number, run: () => Promise<T>): Promise<T> => {
    outside += bytes
    try {
      return await run()
    } finally {
      outside -= bytes
    }
  }
  return {
    find: (id) => {
      const record = cells.has(id) ? undefined : readRecord(store, id)
      return record === undefined ? cells.get(id) : keep(id, restored(id, record))
    },
    add: (session) => {
      const cell = keep(session.id, session)
      begun.set(session.id, cell)
      return cell
    },
    remove: (id) => {
      cells.delete(id)
      begun.delete(id)
    },
    live,
    hasRoomFor: (did) => {
      const all = live()
      const theirs = all.filter(({ current }) => takesPart(current, participantKey(did)))
      const full = all.length >= bounds.sessions || theirs.length >= bounds.sessions_per_participant
      return full ? refuse('relay_overloaded') : undefined
    },
    hasRoomForContract: (bytes) =>
      held(contractBytes) + bytes > bounds.open_contract_bytes ? refuse('relay_overloaded') : undefined,
    holdingInput: async (bytes, accept) =>
      held(inputBytes) + outside + bytes > bounds.open_input_bytes
        ? refuse('relay_overloaded')
        : countingInputs(bytes, accept),
    countingInputs,
  }
}

const contractBytes = ({ agreement }: LiveSession): number => agreement.contractBytes.length

const inputBytes = ({ seats }: LiveSession): number =>
  seats.reduce((sum, { submission }) => sum + (submission?.opened?.length ?? 0), 0)

/** Whoever was only invited does not take part yet: otherwise strangers could use up somebody's room. */
const takesPart = (session: Session, key: string): boolean =>
  session.kind === 'live' &&
  session.seats.some(({ did, claim }) => did !== null && claim !== null && participantKey(did) === key)

const restored = (id: string, { bundle, dids, release_bytes }: SessionRecord): EndedSession => {
  const { receipt } = bundle
  const seats = receipt.participants.map(
    ({ role, input_commitment: commitment }, seat): EndedSeat => ({
      role,
      did: dids[seat] ?? null,
      commitment,
    }),
  )
  return {
    kind: 'ended',
    id,
    state: receipt.outcome.status,
    abortClass: receipt.outcome.abort_class,
    seats,
    offerDigest: receipt.offer_digest,
    heads: null,
    // It ended under this process and was released, or under an earlier one.
    releaseAtMs: 0,
    releaseBytes: release_bytes,
  }
}
