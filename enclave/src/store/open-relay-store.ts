import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../log.js'
import { RelayError } from '../relay-error.js'
import { openLastingStore } from './lasting-store.js'
import { sealStore } from './sealed-store.js'
import type { ListedStore, Store } from './store.js'

const LASTING = 'snp-derived'
const EPOCH = /^[0-9a-f]{32}$/

/** What a relay's store is opened with. */
export type RelayStoreOptions = {
  readonly profile: 'confidential' | 'software'
  readonly directory: string
  /** 32 lower-case hex characters. */
  readonly epoch: string
  readonly sealingKey: Uint8Array
  /** Whether the sealing key was derived, and is there again after a restart. */
  readonly lasting: boolean
  readonly random: (size: number) => Uint8Array
  readonly log: Log
}

/**
 * The store of one boot. Confidential: a directory of this epoch, sealed from the first commit under a key that ends
 * with the process; what earlier epochs left cannot be opened by anyone, is never read and never reused, and the log
 * says how many there are. Where the key was derived by the processor: one sealed directory, which whoever has the key
 * again goes on with. Software: one plain directory that survives.
 * @throws RelayError `store_failed`; `store_sealed_otherwise`, `record_altered` for a derived key
 */
export async function openRelayStore(options: RelayStoreOptions): Promise<Store> {
  // It brings native code, and runs it as it is loaded: not before the environment has been checked.
  const { openLmdbStore } = await import('./lmdb-store.js')
  const { profile, directory, epoch, sealingKey, lasting, random, log } = options
  const parent = join(directory, profile)
  const names = makeDirectory(parent)
  if (profile === 'software') return openLmdbStore(parent)
  if (lasting) return openLasting(openLmdbStore(join(parent, LASTING)), sealingKey, random)
  // 16 random octets do not repeat: if they seem to, the store is not ours to trust.
  if (names.includes(epoch))
    throw new RelayError('store_failed', 'the directory of this epoch exists already')
  const epochs = names.filter((name) => EPOCH.test(name)).length
  if (epochs > 0) log({ event: 'previous_epoch_lost', epochs })
  const own = join(parent, epoch)
  makeDirectory(own)
  return sealStore(openLmdbStore(own), sealingKey, random)
}

/**
 * What a store's directory holds as it stands on the disk, to be read only, also while a relay writes to it.
 * @throws RelayError `store_failed`
 */
export async function openDisk(directory: string): Promise<ListedStore> {
  const { openLmdbStore } = await import('./lmdb-store.js')
  return openLmdbStore(directory, { readOnly: true })
}

/** Closes what does not open under this key: nothing of it is written to. */
async function openLasting(
  inner: ListedStore,
  sealingKey: Uint8Array,
  random: (size: number) => Uint8Array,
): Promise<Store> {
  try {
    return openLastingStore(inner, sealingKey, random)
  } catch (error) {
    await inner.close()
    throw error
  }
}

/** The names in a directory that is made if it does not exist. */
function makeDirectory(path: string): readonly string[] {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return readdirSync(path)
  } catch {
    throw new RelayError('store_failed', 'the store directory cannot be made or read')
  }
}
