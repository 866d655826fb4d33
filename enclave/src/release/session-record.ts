import { type Bundle, parseBundle } from '@parley/protocol'
import * as v from 'valibot'
import type { Store, Write } from '../store/store.js'
import type { ReleaseBytes } from './release-bytes.js'
import { fromPaddedJson, toPaddedJson } from './padded-json.js'

/** What the store keeps of a session that has ended. Inputs are not in it. */
export type SessionRecord = ReleaseBytes & {
  readonly bundle: Bundle
  /** Who may ask for the result, in role order. */
  readonly dids: readonly [string | null, string | null]
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const record = v.strictObject({
  bundle: v.custom<Parameters<typeof parseBundle>[0]>((value) => value !== undefined),
  dids: v.strictTuple([v.nullable(v.string()), v.nullable(v.string())]),
  release_bytes: count,
  record_bytes: count,
})

const keyOf = (sessionId: string): string => `session/${sessionId}`

/**
 * The write of a record. Its length says nothing of what came of the session.
 * @throws ProtocolError object_malformed on a bundle that could not be read again: it must not be committed
 */
export function recordWrite(sessionId: string, record: SessionRecord): Write {
  parseBundle(record.bundle)
  return {
    kind: 'put',
    key: keyOf(sessionId),
    value: toPaddedJson(record, record.record_bytes),
  }
}

/** The record of a session, or undefined if none of this id has ended. */
export function readRecord(store: Store, sessionId: string): SessionRecord | undefined {
  const bytes = store.get(keyOf(sessionId))
  if (bytes === undefined) return undefined
  const read = v.parse(record, fromPaddedJson(bytes))
  return { ...read, bundle: parseBundle(read.bundle) }
}
