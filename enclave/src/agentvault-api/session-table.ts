import type { ApiSession } from './api-session.js'

/** Sessions in memory, as many as a relay may hold. */
export type ApiSessionTable = {
  readonly get: (id: string) => ApiSession | undefined
  readonly put: (session: ApiSession) => void
  readonly remove: (id: string) => void
  readonly all: () => readonly ApiSession[]
  readonly hasRoom: () => boolean
  /** Whether so many more octets of inputs may wait. */
  readonly hasRoomForInput: (bytes: number) => boolean
}

/** A table within the relay's bounds. */
export function createSessionTable(limits: {
  readonly sessions: number
  readonly open_input_bytes: number
}): ApiSessionTable {
  const sessions = new Map<string, ApiSession>()
  return {
    get: (id) => sessions.get(id),
    put: (session) => void sessions.set(session.id, session),
    remove: (id) => void sessions.delete(id),
    all: () => [...sessions.values()],
    hasRoom: () => sessions.size < limits.sessions,
    hasRoomForInput: (bytes) => waitingBytes(sessions.values()) + bytes <= limits.open_input_bytes,
  }
}

const waitingBytes = (sessions: Iterable<ApiSession>): number => {
  let bytes = 0
  for (const { phase, accepted } of sessions)
    if (phase.kind !== 'ended') for (const each of accepted) bytes += each?.bytes ?? 0
  return bytes
}
