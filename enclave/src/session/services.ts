import { createLedgerBook, type LedgerBook } from '../ledger/ledger-book.js'
import { type Admit, createAdmission } from './agreement.js'
import { createSessionTable, type SessionTable } from './session-table.js'
import type { SessionDeps } from './session-deps.js'
import { createTicks, type Ticks } from './ticks.js'

/** What the handlers of sessions share. */
export type Services = SessionDeps & {
  readonly admit: Admit
  readonly table: SessionTable
  readonly ledger: LedgerBook
  readonly ticks: Ticks
  /** Asks for a look at the deadlines, at a time of the monotonic clock. */
  readonly wakeAt: (ms: number) => void
  /** Whether the relay is stopping: then nothing is begun any more. */
  readonly closed: () => boolean
}

/** All but what needs the services themselves. */
export function createServices(deps: SessionDeps): Omit<Services, 'wakeAt' | 'closed'> {
  const { store, clock, bundle } = deps
  return {
    ...deps,
    admit: createAdmission(deps),
    table: createSessionTable(store, clock, bundle.limits),
    ledger: createLedgerBook(store, deps),
    ticks: createTicks(clock, bundle.limits.tick_ms),
  }
}
