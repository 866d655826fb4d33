import { concatBytes } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { deriveKey, openRecord, sealRecord } from './sealed-record.js'
import type { Store, Write } from './store.js'

const NONCE_BYTES = 12
const VERSION_BYTES = 8
const NAME_DIGITS = 16

type Known = {
  /** What the inner store calls it. */
  readonly name: string
  /** The least version at which a record may be found, the least number of entries that a log may have; 0: none. */
  least: number
}

type Memory = Map<string, Known>

type Sealing = {
  readonly seal: (place: Place, value: Uint8Array) => Uint8Array
  readonly open: (place: Place, sealed: Uint8Array) => Uint8Array
}

type Place = readonly [kind: Write['kind'], name: string, at: number]

/**
 * A store whose disk belongs to the host: names become the numbers in which they first came, values AES-256-GCM bound
 * to their name and to a version or an index. What was committed is remembered here, so that a record that the host
 * takes away, moves or puts back to an earlier version is `record_altered` while the relay runs. It must start over an
 * empty store.
 * @param sealingKey 32 octets that are used for this store only
 * @param random fresh octets, for nonces
 */
export function sealStore(inner: Store, sealingKey: Uint8Array, random: (size: number) => Uint8Array): Store {
  const memory: Memory = new Map()
  const sealing = createSealing(sealingKey, random)
  let version = 0
  return {
    get: (key) => readRecord(inner, sealing, memory.get(keyOf('put', key)), key),
    log: (name) => readLog(inner, sealing, memory.get(keyOf('append', name)), name),
    commit: async (writes) => {
      const numbered = writes.map((write) => ({
        write,
        known: knownOf(memory, write),
        at: write.kind === 'put' ? ++version : write.index,
      }))
      await inner.commit(numbered.map(({ write, known, at }) => sealWrite(sealing, write, known.name, at)))
      for (const { write, known, at } of numbered)
        known.least = Math.max(known.least, write.kind === 'put' ? at : at + 1)
    },
    close: () => inner.close(),
  }
}

function createSealing(sealingKey: Uint8Array, random: (size: number) => Uint8Array): Sealing {
  const valueKey = deriveKey(sealingKey, 'record-value')
  return {
    seal: (place, value) => sealRecord(valueKey, place, value, random(NONCE_BYTES)),
    open: (place, sealed) => openRecord(valueKey, place, sealed),
  }
}

const keyOf = (kind: Write['kind'], name: string): string => `${kind}/${name}`

/**
 * Names count up, since a tree over names of chance grows by chance: the size of the host's file would differ between
 * runs that are alike, and a leak could hide in that. The host sees the order of writes anyway.
 */
function knownOf(memory: Memory, write: Write): Known {
  const key = keyOf(write.kind, write.kind === 'put' ? write.key : write.log)
  const known = memory.get(key) ?? { name: String(memory.size).padStart(NAME_DIGITS, '0'), least: 0 }
  memory.set(key, known)
  return known
}

function sealWrite({ seal }: Sealing, write: Write, name: string, at: number): Write {
  if (write.kind === 'append')
    return { ...write, log: name, value: seal(['append', write.log, at], write.value) }
  const value = concatBytes(versionBytes(at), seal(['put', write.key, at], write.value))
  return { ...write, key: name, value }
}

function readRecord(
  inner: Store,
  { open }: Sealing,
  known: Known | undefined,
  key: string,
): Uint8Array | undefined {
  if (known === undefined) return undefined
  const found = inner.get(known.name)
  if (found === undefined) {
    if (known.least > 0) throw altered('a committed record is missing')
    return undefined
  }
  const at = readVersion(found)
  // A later version than the remembered one is a commit that is still on its way back to its caller.
  if (at < Math.max(known.least, 1)) throw altered('a record is older than what was committed')
  return open(['put', key, at], found.subarray(VERSION_BYTES))
}

function readLog(inner: Store, { open }: Sealing, known: Known | undefined, name: string): Uint8Array[] {
  if (known === undefined) return []
  const found = Array.from(inner.log(known.name))
  if (found.length < known.least) throw altered('a log is shorter than what was committed')
  return found.map((sealed, index) => open(['append', name, index], sealed))
}

function versionBytes(version: number): Uint8Array {
  const bytes = new Uint8Array(VERSION_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(version))
  return bytes
}

function readVersion(found: Uint8Array): number {
  if (found.length < VERSION_BYTES) throw altered('a record is too short')
  return Number(new DataView(found.buffer, found.byteOffset).getBigUint64(0))
}

const altered = (message: string): RelayError => new RelayError('record_altered', message)
