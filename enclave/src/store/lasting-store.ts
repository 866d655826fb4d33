import { createHash, createHmac } from 'node:crypto'
import { canonicalBytes } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { deriveKey, openRecord, sealRecord } from './sealed-record.js'
import { joinShown, splitShown } from './shown-record.js'
import type { ListedStore, Made, Store, Write } from './store.js'

const NONCE_BYTES = 12
const MARK_BYTES = 32
const MANIFEST = ['manifest']

/** Where a value stands: of a record its name, of a log's entry the log's name and its index. */
type Place = readonly ['put', string] | readonly ['append', string, number]

type Sealing = {
  readonly nameOf: (kind: Place[0], name: string) => string
  readonly seal: (place: readonly (string | number)[], value: Uint8Array) => Uint8Array
  readonly open: (place: readonly (string | number)[], sealed: Uint8Array) => Uint8Array
  /** What stands for a sealed value at its place, and tells the host nothing. */
  readonly mark: (place: Place, sealed: Uint8Array) => Uint8Array
}

/**
 * A sealed store whose key outlives the process, so that it may be opened again. Beside what a sealed store does, each
 * transaction seals a manifest, the sum of the marks of all that is stored: a store opens only as a whole that was
 * committed, and records of two moments cannot be mixed. That it is the last such whole, ledger heads show that their
 * owners carry.
 * @param inner holds what an earlier process left, or nothing
 * @param sealingKey 32 octets that are used for this store only
 * @param random fresh octets, for nonces
 * @throws RelayError `store_sealed_otherwise` where it holds what this key does not open; `record_altered` where it is
 * not what was committed
 */
export function openLastingStore(
  inner: ListedStore,
  sealingKey: Uint8Array,
  random: (size: number) => Uint8Array,
): Store {
  const sealing = createSealing(sealingKey, random)
  const manifestName = sealing.nameOf('put', 'manifest')
  const { marks, lengths, sum } = readAll(inner, sealing, manifestName)
  let total = checkManifest(inner.get(manifestName), { sealing, sum, empty: marks.size === 0 })
  const note = (write: Write): void => {
    const place = placeOf(write)
    const key = keyOf(place)
    total = xor(total, marks.get(key) ?? new Uint8Array(MARK_BYTES))
    marks.delete(key)
    if (write.kind === 'remove') return
    const mark = sealing.mark(place, write.value)
    total = xor(total, mark)
    marks.set(key, mark)
    if (write.kind === 'append') lengths.set(write.log, write.index + 1)
  }
  const opened = (name: Place, found: Uint8Array | undefined, place: Place): Uint8Array => {
    const known = marks.get(keyOf(name))
    if (found === undefined || known === undefined || !isSame(sealing.mark(name, found), known))
      throw altered('a record is not what was committed')
    return sealing.open(place, name[1] === place[1] ? splitShown(found).sealed : found)
  }
  return {
    get: (key) => {
      // What shows something stands under its own name.
      const name = marks.has(keyOf(['put', key])) ? key : sealing.nameOf('put', key)
      const found = inner.get(name)
      if (found === undefined && !marks.has(keyOf(['put', name]))) return undefined
      return opened(['put', name], found, ['put', key])
    },
    log: (log) => {
      const name = lengths.has(log) ? log : sealing.nameOf('append', log)
      const found = Array.from(inner.log(name))
      if (found.length < (lengths.get(name) ?? 0)) throw altered('a log is shorter than what was committed')
      return found.map((sealed, index) => opened(['append', name, index], sealed, ['append', log, index]))
    },
    commit: (writes) => {
      const sealed = writes.map((write) => sealWrite(sealing, write))
      const manifest: Made = {
        kind: 'made',
        key: manifestName,
        // In the transaction, after its other writes: whatever was to be refused has been.
        make: () => {
          for (const write of sealed) note(write)
          return sealing.seal(MANIFEST, total)
        },
      }
      return inner.commit([...sealed, manifest])
    },
    close: () => inner.close(),
  }
}

function createSealing(sealingKey: Uint8Array, random: (size: number) => Uint8Array): Sealing {
  const nameKey = deriveKey(sealingKey, 'record-name')
  const valueKey = deriveKey(sealingKey, 'record-value')
  const markKey = deriveKey(sealingKey, 'record-mark')
  return {
    nameOf: (kind, name) =>
      createHmac('sha256', nameKey)
        .update(canonicalBytes([kind, name]))
        .digest('hex'),
    seal: (place, value) => sealRecord(valueKey, [...place], value, random(NONCE_BYTES)),
    open: (place, sealed) => openRecord(valueKey, [...place], sealed),
    mark: (place, sealed) => {
      const digest = createHash('sha256').update(sealed).digest('hex')
      return new Uint8Array(
        createHmac('sha256', markKey)
          .update(canonicalBytes([...place, digest]))
          .digest(),
      )
    },
  }
}

type Held = {
  readonly marks: Map<string, Uint8Array>
  readonly lengths: Map<string, number>
  readonly sum: Uint8Array
}

function readAll(inner: ListedStore, { mark }: Sealing, manifestName: string): Held {
  const marks = new Map<string, Uint8Array>()
  const lengths = new Map<string, number>()
  let sum: Uint8Array = new Uint8Array(MARK_BYTES)
  const note = (place: Place, sealed: Uint8Array): void => {
    const own = mark(place, sealed)
    marks.set(keyOf(place), own)
    sum = xor(sum, own)
  }
  for (const { name, value } of inner.records()) if (name !== manifestName) note(['put', name], value)
  for (const { log, index, value } of inner.entries()) {
    note(['append', log, index], value)
    lengths.set(log, Math.max(lengths.get(log) ?? 0, index + 1))
  }
  return { marks, lengths, sum }
}

function checkManifest(
  found: Uint8Array | undefined,
  { sealing, sum, empty }: { readonly sealing: Sealing; readonly sum: Uint8Array; readonly empty: boolean },
): Uint8Array {
  if (found === undefined) {
    if (empty) return sum
    throw new RelayError('store_sealed_otherwise', 'the store is of another guest, platform or time')
  }
  if (!isSame(sealing.open(MANIFEST, found), sum))
    throw altered('the store is not a whole that was committed')
  return sum
}

function sealWrite({ nameOf, seal }: Sealing, write: Write): Write {
  if (write.kind === 'remove') return { kind: 'remove', key: nameOf('put', write.key) }
  const { shown, ...rest } = write
  const sealed = seal(placeOf(write), write.value)
  const value = shown === undefined ? sealed : joinShown(shown, sealed)
  if (rest.kind === 'put')
    return { ...rest, key: shown === undefined ? nameOf('put', rest.key) : rest.key, value }
  return { ...rest, log: shown === undefined ? nameOf('append', rest.log) : rest.log, value }
}

const placeOf = (write: Write): Place =>
  write.kind === 'append' || write.kind === 'replace'
    ? ['append', write.log, write.index]
    : ['put', write.key]

const keyOf = (place: Place): string => place.join('/')

const xor = (one: Uint8Array, other: Uint8Array): Uint8Array =>
  one.map((octet, at) => octet ^ (other[at] ?? 0))

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

const altered = (message: string): RelayError => new RelayError('record_altered', message)
