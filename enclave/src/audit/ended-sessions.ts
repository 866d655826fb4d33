import { isErased, type KeptRecord, parseAuditRecord } from '@parley/guardian'
import { fromUtf8 } from '@parley/protocol'
import { readRecord } from '../release/session-record.js'
import { participantKey } from '../session/participant-key.js'
import type { Store } from '../store/store.js'

/** A session that has ended and has its record still: what a log holds of it, and whose it was. */
export type EndedEntries = {
  readonly id: string
  /** Unix seconds. */
  readonly endedAt: number
  /** The keys of all its seats. */
  readonly keys: readonly string[]
  /** The places of its entries in the log of its epoch. */
  readonly places: readonly number[]
}

/** The sessions of one log in which a key had a seat. */
export const endedSessions = (
  store: Store,
  entries: readonly Uint8Array[],
  key: string,
): readonly EndedEntries[] => {
  const lines = entries.map(fromUtf8)
  // Most lines are of others, and to parse a line costs more than to look whether it can be the one.
  const ended = lines.flatMap((line) => (line.includes('"session.ended"') ? endOf(store, line, key) : []))
  return ended.map((session) => ({
    ...session,
    places: lines.flatMap((line, place) =>
      line.includes(session.id) && isOf(line, session.id) ? [place] : [],
    ),
  }))
}

const endOf = (store: Store, line: string, key: string): readonly Omit<EndedEntries, 'places'>[] => {
  const entry = keptIn(line)?.entry
  if (entry?.event !== 'session.ended') return []
  const id = entry.fields.session_id
  const dids = readRecord(store, id)?.dids ?? []
  const keys = dids.flatMap((did) => (did === null ? [] : [participantKey(did)]))
  return keys.includes(key) ? [{ id, endedAt: entry.at, keys }] : []
}

const isOf = (line: string, id: string): boolean => {
  const fields = keptIn(line)?.entry.fields ?? {}
  // The gate calls the run of a session by the session's id.
  return ('session_id' in fields && fields.session_id === id) || ('run_id' in fields && fields.run_id === id)
}

const keptIn = (line: string): KeptRecord | undefined => {
  const record = parseAuditRecord(line)
  return isErased(record) ? undefined : record
}
