import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands at a path of the image. */
export type Entry =
  | { readonly kind: 'folder' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly executable: boolean }
  | { readonly kind: 'console' }

/** A file system in memory: absolute paths without a slash at the end. Owners and times are the encoder's. */
export type RootTree = {
  readonly entries: ReadonlyMap<string, Entry>
  /** Adds a file with the folders above it. */
  readonly addFile: (path: string, bytes: Uint8Array | string, executable?: boolean) => void
  readonly addFolder: (path: string) => void
  /** Adds what a folder of this machine holds, as far as it is wanted. */
  readonly addCopy: (from: string, to: string, wanted?: (path: string) => boolean) => void
  readonly addConsole: (path: string) => void
}

export function createRootTree(): RootTree {
  const entries = new Map<string, Entry>()
  const addFolder = (path: string): void => {
    for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1))
      entries.set(path.slice(0, at), { kind: 'folder' })
    if (path !== '/') entries.set(path, { kind: 'folder' })
  }
  const addFile: RootTree['addFile'] = (path, bytes, executable = false) => {
    if (entries.has(path)) throw new Error(`${path} is there twice`)
    addFolder(path)
    entries.set(path, { kind: 'file', bytes: Buffer.from(bytes), executable })
  }
  const addCopy: RootTree['addCopy'] = (from, to, wanted = () => true) => {
    for (const name of readdirSync(from).sort()) {
      const source = join(from, name)
      const stat = lstatSync(source)
      if (stat.isDirectory()) addCopy(source, `${to}/${name}`, wanted)
      else if (stat.isFile() && wanted(source)) addFile(`${to}/${name}`, readFileSync(source))
    }
  }
  const addConsole = (path: string): void => {
    addFolder(path)
    entries.set(path, { kind: 'console' })
  }
  return { entries, addFile, addFolder, addCopy, addConsole }
}
