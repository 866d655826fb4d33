import { concatBytes, toHex } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { deriveKey, openRecord, sealRecord } from './sealed-record.js'
import { joinShown, splitShown } from './shown-record.js'
import type { Shown, Store, Write } from './store.js'

const NONCE_BYTES = 12
const VERSION_BYTES = 8
const NAME_DIGITS = 16

type Known = {
  /** What the inner store calls it. */
  readonly name: string
  /** The least version at which a record may be found, the least number of entries that a log may have; 0: none. */
  least: number
  /** Whether it was taken away: what the host puts back is not there. */
  gone: boolean
  readonly shows: boolean
  /** The entries in whose place something was put, and whether that is sure: a commit may be on its way back. */
  readonly replaced: Map<number, 'perhaps' | 'surely'>
}

type ValueWrite = Exclude<Write, { readonly kind: 'remove' }>

type Memory = Map<string, Known>

type Sealing = {
  readonly seal: (place: Place, value: Uint8Array, shown?: Shown) => Uint8Array
  readonly open: (place: Place, sealed: Uint8Array, shown: Shown | undefined) => Uint8Array
}

/** What was put in the place of an entry is not what the entry was. */
type Place = readonly [kind: Kind | 'replace', name: string, at: number]
type Kind = 'put' | 'append'

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
        at: write.kind === 'append' || write.kind === 'replace' ? write.index : ++version,
      }))
      for (const { write, known, at } of numbered)
        if (write.kind === 'replace' && !known.replaced.has(at)) known.replaced.set(at, 'perhaps')
      await inner.commit(numbered.map(({ write, known, at }) => sealWrite(sealing, write, known.name, at)))
      for (const { write, known, at } of numbered) {
        known.least = Math.max(known.least, kindOf(write) === 'put' ? at : at + 1)
        known.gone = write.kind === 'remove'
        if (write.kind === 'replace') known.replaced.set(at, 'surely')
      }
    },
    close: () => inner.close(),
  }
}

function createSealing(sealingKey: Uint8Array, random: (size: number) => Uint8Array): Sealing {
  const valueKey = deriveKey(sealingKey, 'record-value')
  return {
    seal: (place, value, shown) => sealRecord(valueKey, placeWith(place, shown), value, random(NONCE_BYTES)),
    open: (place, sealed, shown) => openRecord(valueKey, placeWith(place, shown), sealed),
  }
}

// What is shown is bound to what is sealed: the host may read it, not change it.
const placeWith = (place: Place, shown: Shown | undefined): (string | number)[] =>
  shown === undefined ? [...place] : [...place, toHex(shown)]

const keyOf = (kind: Kind, name: string): string => `${kind}/${name}`

const kindOf = ({ kind }: Write): Kind => (kind === 'append' || kind === 'replace' ? 'append' : 'put')

/**
 * Names count up, since a tree over names of chance grows by chance: the size of the host's file would differ between
 * runs that are alike, and a leak could hide in that. The host sees the order of writes anyway.
 */
function knownOf(memory: Memory, write: Write): Known {
  const own = write.kind === 'append' || write.kind === 'replace' ? write.log : write.key
  const key = keyOf(kindOf(write), own)
  const shows = write.kind !== 'remove' && write.shown !== undefined
  const name = shows ? own : String(memory.size).padStart(NAME_DIGITS, '0')
  const known = memory.get(key) ?? { name, least: 0, gone: false, shows, replaced: new Map() }
  memory.set(key, known)
  return known
}

function sealWrite({ seal }: Sealing, write: Write, name: string, at: number): Write {
  if (write.kind === 'remove') return { kind: 'remove', key: name }
  const { shown, ...rest } = write
  const value = sealValue(seal, write, at)
  const placed = shown === undefined ? value : joinShown(shown, value)
  return rest.kind === 'put' ? { ...rest, key: name, value: placed } : { ...rest, log: name, value: placed }
}

function sealValue(seal: Sealing['seal'], write: ValueWrite, at: number): Uint8Array {
  if (write.kind !== 'put') return seal([write.kind, write.log, at], write.value, write.shown)
  return concatBytes(versionBytes(at), seal(['put', write.key, at], write.value, write.shown))
}

function readRecord(
  inner: Store,
  { open }: Sealing,
  known: Known | undefined,
  key: string,
): Uint8Array | undefined {
  if (known === undefined || known.gone) return undefined
  const record = inner.get(known.name)
  if (record === undefined) {
    if (known.least > 0) throw altered('a committed record is missing')
    return undefined
  }
  const { sealed: found, shown } = apart(known, record)
  const at = readVersion(found)
  // A later version than the remembered one is a commit that is still on its way back to its caller.
  if (at < Math.max(known.least, 1)) throw altered('a record is older than what was committed')
  return open(['put', key, at], found.subarray(VERSION_BYTES), shown)
}

const apart = (
  { shows }: Known,
  record: Uint8Array,
): { readonly sealed: Uint8Array; readonly shown?: Shown } =>
  shows ? splitShown(record) : { sealed: record }

function readLog(inner: Store, { open }: Sealing, known: Known | undefined, name: string): Uint8Array[] {
  if (known === undefined) return []
  const found = Array.from(inner.log(known.name))
  if (found.length < known.least) throw altered('a log is shorter than what was committed')
  return found.map((record, index) => {
    const { sealed, shown } = apart(known, record)
    const as = (kind: 'append' | 'replace') => open([kind, name, index], sealed, shown)
    const state = known.replaced.get(index)
    if (state !== 'perhaps') return as(state === undefined ? 'append' : 'replace')
    return orElse(
      () => as('append'),
      () => as('replace'),
    )
  })
}

const orElse = <T>(one: () => T, other: () => T): T => {
  try {
    return one()
  } catch (error) {
    if (error instanceof RelayError) return other()
    throw error
  }
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
