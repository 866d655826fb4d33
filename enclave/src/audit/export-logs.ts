import {
  canonicalize,
  isJsonObject,
  parseCanonicalJson,
  parseKeyset,
  toBase64url,
  toHex,
} from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { splitShown } from '../store/shown-record.js'
import type { Store } from '../store/store.js'
import { auditLogOf, checkpointOf, KEYSETS } from './log-places.js'

/** The log of one epoch, as a stranger can check it. */
export type ExportedLog = {
  readonly epoch: string
  /** The relay's keyset, canonical. */
  readonly keyset: Uint8Array
  /** The latest checkpoint, a signed note. */
  readonly checkpoint: Uint8Array
  /** A record each: {entry, salt}, or what is left of it, or {leaf_hash, sealed}. */
  readonly lines: readonly string[]
}

type Disk = Pick<Store, 'get' | 'log'>
type Shows = (record: Uint8Array) => Uint8Array

/**
 * The logs of all epochs in a store, as they stand on the disk: of a sealed one the salted leaf hashes beside what only
 * the guest opens.
 * @throws RelayError `record_altered` on a record that no relay wrote
 */
export function exportLogs(disk: Disk, isSealed: boolean): readonly ExportedLog[] {
  const shows: Shows = isSealed ? (record) => splitShown(record).shown : (record) => record
  return Array.from(disk.log(KEYSETS), (record) => exportLog(disk, isSealed, shows(record), shows))
}

function exportLog(disk: Disk, isSealed: boolean, keyset: Uint8Array, shows: Shows): ExportedLog {
  const { epoch } = parseKeyset(parseCanonicalJson(keyset))
  // Before the entries: a relay that goes on writing puts its checkpoint after them.
  const checkpoint = disk.get(checkpointOf(epoch))
  if (checkpoint === undefined) throw new RelayError('record_altered', 'a log has no checkpoint')
  const lines = Array.from(disk.log(auditLogOf(epoch)), isSealed ? sealedLine : plainLine)
  return { epoch, keyset, checkpoint: shows(checkpoint), lines }
}

const plainLine = (record: Uint8Array): string => {
  const value = parseCanonicalJson(record)
  if (!isJsonObject(value)) throw new RelayError('record_altered', 'an entry is no object')
  return canonicalize(value)
}

const sealedLine = (record: Uint8Array): string => {
  const { shown, sealed } = splitShown(record)
  return canonicalize({ leaf_hash: toHex(shown), sealed: toBase64url(sealed) })
}
