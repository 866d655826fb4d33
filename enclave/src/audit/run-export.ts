import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRelayConfig } from '../config.js'
import type { Profile } from '../policy-bundle.js'
import { readJsonFile } from '../read-json-file.js'
import { RelayError } from '../relay-error.js'
import { openDisk } from '../store/open-relay-store.js'
import { type ExportedLog, exportLogs } from './export-logs.js'

const DATA = 'data.mdb'

/** What `parley-relay audit export` is asked for. */
export type AuditExport = {
  readonly profile: Profile['name']
  readonly config: string
  readonly out: string
}

/**
 * Writes the logs of all epochs that a store holds, one folder each: `audit.log`, `checkpoint` and `keyset.json`, as
 * `parley-verify audit` reads them. It needs no relay, and reads while one runs.
 * @returns the folders, and how many records are in each
 * @throws RelayError `config_malformed`; `store_failed` where there is no store, or a file is there already
 */
export async function exportAudit({ profile, config: path, out }: AuditExport): Promise<readonly string[]> {
  const { store_directory } = parseRelayConfig(readJsonFile(path), profile, path)
  const written: string[] = []
  for (const directory of storesIn(join(store_directory, profile))) {
    const store = await openDisk(directory)
    try {
      for (const log of exportLogs(store, profile === 'confidential')) written.push(writeLog(out, log))
    } finally {
      await store.close()
    }
  }
  return written
}

/** The directories of stores at a place or under it: one in the software lane, one an epoch in the confidential. */
function storesIn(place: string): readonly string[] {
  const names = existsSync(place) ? readdirSync(place) : []
  const stores = [place, ...names.map((name) => join(place, name))].filter((each) =>
    existsSync(join(each, DATA)),
  )
  if (stores.length === 0) throw new RelayError('store_failed', 'there is no store of this profile')
  return stores
}

function writeLog(out: string, { epoch, keyset, checkpoint, lines }: ExportedLog): string {
  const folder = join(out, epoch)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const write = (name: string, content: string | Uint8Array): void => {
      writeFileSync(join(folder, name), content, { flag: 'wx', mode: 0o600 })
    }
    write('audit.log', lines.map((line) => `${line}\n`).join(''))
    write('checkpoint', checkpoint)
    write('keyset.json', keyset)
  } catch {
    throw new RelayError('store_failed', 'an export cannot be written, or is there already')
  }
  return `${folder}  ${lines.length}`
}
