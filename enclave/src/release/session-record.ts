import { type Bundle, type JsonValue, parseBundle, ROLES } from '@parley/protocol'
import * as v from 'valibot'
import type { Store, Write } from '../store/store.js'
import type { ReleaseBytes } from './release-bytes.js'
import { fromPaddedJson, toPaddedJson } from './padded-json.js'
import { createRecordMemory } from './record-memory.js'
import type { Narrowed } from './transcript.js'

/** What the store keeps of a session that has ended. Inputs are not in it. */
export type SessionRecord = ReleaseBytes & {
  readonly bundle: Bundle
  /** Who may ask for the result, in role order. */
  readonly dids: readonly (string | null)[]
  /** What those get who do not get the whole output of the bundle. */
  readonly narrowed: readonly Narrowed[]
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const json = v.custom<JsonValue>((value) => value !== undefined)
const record = v.strictObject({
  bundle: json,
  dids: v.array(v.nullable(v.string())),
  narrowed: v.array(v.strictObject({ role: v.picklist(ROLES), salt: v.string(), output: json })),
  release_bytes: count,
  record_bytes: count,
})

const keyOf = (sessionId: string): string => `session/${sessionId}`

const lately = createRecordMemory<SessionRecord>()

/**
 * The write of a record. Its length says nothing of what came of the session.
 * @throws ProtocolError object_malformed on a bundle that could not be read again: it must not be committed
 */
export function recordWrite(sessionId: string, record: SessionRecord): Write {
  parseBundle(record.bundle)
  const value = toPaddedJson(record, record.record_bytes)
  lately.keep(sessionId, value, record)
  return { kind: 'put', key: keyOf(sessionId), value }
}

/** The write that takes a record away. */
export function forgetSession(sessionId: string): Write {
  lately.drop(sessionId)
  return { kind: 'remove', key: keyOf(sessionId) }
}

/** The record of a session, or undefined if none of this id has ended. */
export function readRecord(store: Store, sessionId: string): SessionRecord | undefined {
  const bytes = store.get(keyOf(sessionId))
  if (bytes === undefined) return undefined
  const known = lately.find(sessionId, bytes)
  if (known !== undefined) return known
  const read = parseRecord(bytes)
  lately.keep(sessionId, bytes, read)
  return read
}

const parseRecord = (bytes: Uint8Array): SessionRecord => {
  const read = v.parse(record, fromPaddedJson(bytes))
  return { ...read, bundle: parseBundle(read.bundle) }
}
