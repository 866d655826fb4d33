import { type Acquaintance, createAcquaintance } from '../inbox/acquaintance.js'
import { createInboxBook, type InboxBook } from '../inbox/inbox-book.js'
import { createStrangerRoom, type StrangerRoom } from '../inbox/stranger-room.js'
import { createLedgerBook, type LedgerBook } from '../ledger/ledger-book.js'
import { type Admit, createAdmission } from './agreement.js'
import { createSerial, type Serial } from './serial.js'
import { createSessionTable, type SessionTable } from './session-table.js'
import type { SessionDeps } from './session-deps.js'
import { createTicks, type Ticks } from './ticks.js'

/** What the handlers of sessions share. */
export type Services = SessionDeps & {
  readonly admit: Admit
  readonly table: SessionTable
  readonly ledger: LedgerBook
  readonly inbox: InboxBook
  readonly acquaintance: Acquaintance
  readonly strangerRoom: StrangerRoom
  readonly ticks: Ticks
  /** Erasures, one at a time. */
  readonly erasing: Serial
  /** Asks for a look at the deadlines, at a time of the monotonic clock. */
  readonly wakeAt: (ms: number) => void
  /** Aborted when the relay stops: what is under way with a model ends then. */
  readonly stop: AbortController
  /** Whether the relay is stopping: then nothing is begun any more. */
  readonly closed: () => boolean
}

/** All but what needs the services themselves. */
export function createServices(deps: SessionDeps): Omit<Services, 'wakeAt' | 'closed'> {
  const { store, clock, bundle } = deps
  const table = createSessionTable(store, clock, bundle.limits)
  return {
    ...deps,
    admit: createAdmission(deps),
    table,
    inbox: createInboxBook(store, clock, (id) => isReleased(table, id, clock.nowMs())),
    acquaintance: createAcquaintance(store),
    strangerRoom: createStrangerRoom(clock, bundle.limits.sessions_per_participant),
    ledger: createLedgerBook(store, deps),
    ticks: createTicks(clock, bundle.limits.tick_ms),
    erasing: createSerial(),
    stop: new AbortController(),
  }
}

/** A session that is gone has nothing that could be seen too early. */
const isReleased = (table: SessionTable, id: string, nowMs: number): boolean => {
  const session = table.find(id)?.current
  return session === undefined || (session.kind === 'ended' && session.releaseAtMs <= nowMs)
}
