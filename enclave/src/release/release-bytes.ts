import { canonicalBytes, sizeClass } from '@parley/protocol'
import type { Agreement } from '../session/agreement.js'
import { RESPONSE_OVERHEAD_BYTES } from '../session/answer.js'
import type { SessionDeps } from '../session/session-deps.js'
import { largestBundle } from './largest-bundle.js'

/** How long what is told and kept of a session is, whatever came of it: it follows from contract and relay alone. */
export type ReleaseBytes = {
  /** The size class of every result, in octets. */
  readonly release_bytes: number
  /** The length of the record in the store, in octets. */
  readonly record_bytes: number
}

// What a record holds beside one participant's bundle: two more ledger entries, two DIDs.
const RECORD_MORE_BYTES = 4096

/** @throws ProtocolError too_large where no size class holds a result */
export function releaseBytes(deps: SessionDeps, agreement: Omit<Agreement, 'bytes'>): ReleaseBytes {
  const bundle = largestBundle(deps, agreement)
  const { length } = canonicalBytes({ state: 'PROCESSING', bundle })
  return {
    release_bytes: sizeClass(length + RESPONSE_OVERHEAD_BYTES),
    record_bytes: length + RECORD_MORE_BYTES,
  }
}
