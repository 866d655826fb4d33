import { createHmac } from 'node:crypto'
import { canonicalBytes, concatBytes } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { deriveKey, openRecord, sealRecord } from './sealed-record.js'
import type { Store, Write } from './store.js'

const NONCE_BYTES = 12
const VERSION_BYTES = 8

type Memory = {
  /** The least version at which a record may be found. */
  readonly versions: Map<string, number>
  /** The least number of entries that a log may have. */
  readonly lengths: Map<string, number>
}

type Sealing = { readonly nameOf: (kind: Write['kind'], name: string) => string } & {
  readonly seal: (place: Place, value: Uint8Array) => Uint8Array
  readonly open: (place: Place, sealed: Uint8Array) => Uint8Array
}

type Place = readonly [kind: Write['kind'], name: string, at: number]

/**
 * A store whose disk belongs to the host: names become HMAC-SHA256, values AES-256-GCM bound to their name and to a
 * version or an index. What was committed is remembered here, so that a record that the host takes away, moves or
 * puts back to an earlier version is `record_altered` while the relay runs. It must start over an empty store.
 * @param sealingKey 32 octets that are used for this store only
 * @param random fresh octets, for nonces
 */
export function sealStore(inner: Store, sealingKey: Uint8Array, random: (size: number) => Uint8Array): Store {
  const memory: Memory = { versions: new Map(), lengths: new Map() }
  const sealing = createSealing(sealingKey, random)
  let version = 0
  return {
    get: (key) => readRecord(inner, sealing, memory, key),
    log: (name) => readLog(inner, sealing, memory, name),
    commit: async (writes) => {
      const numbered = writes.map((write) => ({ write, at: write.kind === 'put' ? ++version : write.index }))
      await inner.commit(numbered.map(({ write, at }) => sealWrite(sealing, write, at)))
      for (const { write, at } of numbered) remember(memory, write, at)
    },
    close: () => inner.close(),
  }
}

function createSealing(sealingKey: Uint8Array, random: (size: number) => Uint8Array): Sealing {
  const nameKey = deriveKey(sealingKey, 'record-name')
  const valueKey = deriveKey(sealingKey, 'record-value')
  return {
    nameOf: (kind, name) =>
      createHmac('sha256', nameKey)
        .update(canonicalBytes([kind, name]))
        .digest('hex'),
    seal: (place, value) => sealRecord(valueKey, place, value, random(NONCE_BYTES)),
    open: (place, sealed) => openRecord(valueKey, place, sealed),
  }
}

function sealWrite({ nameOf, seal }: Sealing, write: Write, at: number): Write {
  if (write.kind === 'append')
    return { ...write, log: nameOf('append', write.log), value: seal(['append', write.log, at], write.value) }
  const value = concatBytes(versionBytes(at), seal(['put', write.key, at], write.value))
  return { ...write, key: nameOf('put', write.key), value }
}

function remember({ versions, lengths }: Memory, write: Write, at: number): void {
  if (write.kind === 'put') versions.set(write.key, Math.max(versions.get(write.key) ?? 0, at))
  else lengths.set(write.log, Math.max(lengths.get(write.log) ?? 0, at + 1))
}

function readRecord(
  inner: Store,
  { nameOf, open }: Sealing,
  { versions }: Memory,
  key: string,
): Uint8Array | undefined {
  const found = inner.get(nameOf('put', key))
  const least = versions.get(key)
  if (found === undefined) {
    if (least !== undefined) throw altered('a committed record is missing')
    return undefined
  }
  const at = readVersion(found)
  // A later version than the remembered one is a commit that is still on its way back to its caller.
  if (at < (least ?? 1)) throw altered('a record is older than what was committed')
  return open(['put', key, at], found.subarray(VERSION_BYTES))
}

function readLog(inner: Store, { nameOf, open }: Sealing, { lengths }: Memory, name: string): Uint8Array[] {
  const found = Array.from(inner.log(nameOf('append', name)))
  if (found.length < (lengths.get(name) ?? 0)) throw altered('a log is shorter than what was committed')
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
