import { canonicalBytes, sizeClass } from '@parley/protocol'
import type { Agreement } from '../session/agreement.js'
import { RESPONSE_OVERHEAD_BYTES } from '../session/answer.js'
import type { SessionDeps } from '../session/session-deps.js'
import { largestBundle, largestRecord } from './largest-record.js'

/** How long what is told and kept of a session is, whatever came of it: it follows from contract and relay alone. */
export type ReleaseBytes = {
  /** The size class of every result, in octets. */
  readonly release_bytes: number
  /** The length of the record in the store, in octets. */
  readonly record_bytes: number
}

/** @throws ProtocolError too_large where no size class holds a result */
export function releaseBytes(deps: SessionDeps, agreement: Omit<Agreement, 'bytes'>): ReleaseBytes {
  const record = largestRecord(deps, agreement)
  const shown = canonicalBytes({ state: 'PROCESSING', bundle: largestBundle(record) })
  return {
    release_bytes: sizeClass(shown.length + RESPONSE_OVERHEAD_BYTES),
    record_bytes: canonicalBytes(record).length,
  }
}
