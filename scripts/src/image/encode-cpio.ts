import { SOURCE_DATE_EPOCH } from './paths.js'
import type { Entry, RootTree } from './root-tree.js'

const FOLDER = 0o040755
const FILE = 0o100644
const PROGRAM = 0o100755
const CONSOLE = 0o020600
const CONSOLE_DEVICE = [5, 1] as const

/** The tree as the kernel unpacks it ("newc"): sorted, everything root's, one time, numbered from 1. */
export function encodeCpio({ entries }: RootTree): Buffer {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  const members = sorted.map(([path, entry], at) => encodeMember(path.slice(1), entry, at + 1))
  return Buffer.concat([...members, encodeMember('TRAILER!!!', null, 0)])
}

function encodeMember(name: string, entry: Entry | null, inode: number): Buffer {
  const body = entry?.kind === 'file' ? Buffer.from(entry.bytes) : Buffer.alloc(0)
  const [major, minor] = entry?.kind === 'console' ? CONSOLE_DEVICE : [0, 0]
  const links = entry?.kind === 'folder' ? 2 : 1
  const fields = [
    ...[inode, modeOf(entry), 0, 0, links, entry === null ? 0 : SOURCE_DATE_EPOCH, body.length],
    ...[0, 0, major, minor, name.length + 1, 0],
  ]
  const header = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}${name}\0`
  return Buffer.concat([padded(Buffer.from(header, 'latin1')), padded(body)])
}

function modeOf(entry: Entry | null): number {
  switch (entry?.kind) {
    case undefined:
      return 0
    case 'folder':
      return FOLDER
    case 'console':
      return CONSOLE
    case 'file':
      return entry.executable ? PROGRAM : FILE
  }
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
