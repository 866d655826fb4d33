import { type Database, open } from 'lmdb'
import { RelayError } from '../relay-error.js'
import { groupCommits } from './group-commits.js'
import type { ListedStore, Made, Write } from './store.js'

type Tables = {
  readonly records: Database<Uint8Array, string>
  readonly logs: Database<Uint8Array, [string, number]>
}

/**
 * A store in an LMDB directory, which is made if it does not exist. Its bytes are readable to whoever owns the disk.
 * @param readOnly for one that exists, also while a relay writes to it
 * @throws RelayError `store_failed`
 */
export function openLmdbStore(directory: string, { readOnly = false } = {}): ListedStore {
  const root = openEnvironment(directory, readOnly)
  const tables = openTables(root)
  // Synchronous transactions: the asynchronous ones of this library end the process when the disk fails.
  const commits = groupCommits((work) => {
    root.transactionSync(work)
  })
  return {
    get: (key) => copy(tables.records.get(key)),
    log: (name) => entries(tables.logs, name),
    commit: (writes) =>
      commits.add(() => {
        for (const write of writes) apply(tables, write)
      }),
    records: () =>
      tables.records.getRange({}).map(({ key, value }) => ({ name: key, value: new Uint8Array(value) })),
    entries: () =>
      tables.logs
        .getRange({})
        .map(({ key: [log, index], value }) => ({ log, index, value: new Uint8Array(value) })),
    close: async () => {
      commits.close()
      await root.close()
    },
  }
}

type Environment = ReturnType<typeof open<Uint8Array, string>>

function openTables(root: Environment): Tables {
  return {
    records: root.openDB({ name: 'records', encoding: 'binary' }),
    logs: root.openDB({ name: 'logs', encoding: 'binary' }),
  }
}

function openEnvironment(path: string, readOnly: boolean): Environment {
  try {
    return open<Uint8Array, string>({
      path,
      readOnly,
      noSubdir: false,
      encoding: 'binary',
      maxDbs: 2,
      // A commit is over when its pages are on the disk, not when they are on their way.
      overlappingSync: false,
      // Unused space of a page would otherwise be whatever lay in memory, and the disk is the host's.
      noMemInit: false,
    })
  } catch {
    throw new RelayError('store_failed', 'the store directory cannot be opened')
  }
}

const copy = (value: Uint8Array | undefined): Uint8Array | undefined =>
  value === undefined ? undefined : new Uint8Array(value)

function entries(logs: Tables['logs'], name: string): Uint8Array[] {
  const range = logs.getRange({ start: [name, 0], end: [name, Number.MAX_SAFE_INTEGER] })
  return Array.from(range, ({ value }) => new Uint8Array(value))
}

function apply({ records, logs }: Tables, write: Write | Made): void {
  if (write.kind === 'made') {
    records.putSync(write.key, write.make())
    return
  }
  if (write.kind === 'put') {
    if (write.expect === 'absent' && records.doesExist(write.key)) throw conflict('a record exists already')
    records.putSync(write.key, write.value)
    return
  }
  if (write.kind === 'remove') {
    records.removeSync(write.key)
    return
  }
  const { log, index } = write
  if (write.kind === 'replace') {
    if (!logs.doesExist([log, index])) throw conflict('an entry to be replaced is not there')
    logs.putSync([log, index], write.value)
    return
  }
  const isNext = !logs.doesExist([log, index]) && (index === 0 || logs.doesExist([log, index - 1]))
  if (!isNext) throw conflict('an index is not the next one of its log')
  logs.putSync([log, index], write.value)
}

const conflict = (message: string): RelayError => new RelayError('store_conflict', message)
