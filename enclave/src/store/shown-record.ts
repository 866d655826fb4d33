import { concatBytes } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import type { Shown } from './store.js'

const LENGTH_BYTES = 2

/** A sealed value behind what its owner's disk may tell of it: length in two octets ‖ shown ‖ sealed. */
export function joinShown(shown: Shown, sealed: Uint8Array): Uint8Array {
  const length = new Uint8Array(LENGTH_BYTES)
  new DataView(length.buffer).setUint16(0, shown.length)
  return concatBytes(length, shown, sealed)
}

/**
 * Takes apart what {@link joinShown} made. Of the shown part nobody knows yet that it is what was committed.
 * @throws RelayError `record_altered`
 */
export function splitShown(record: Uint8Array): { readonly shown: Shown; readonly sealed: Uint8Array } {
  const length =
    record.length < LENGTH_BYTES ? 0 : new DataView(record.buffer, record.byteOffset).getUint16(0)
  if (record.length < LENGTH_BYTES + length)
    throw new RelayError('record_altered', 'a record is shorter than what it shows')
  const end = LENGTH_BYTES + length
  return { shown: record.subarray(LENGTH_BYTES, end), sealed: record.subarray(end) }
}
