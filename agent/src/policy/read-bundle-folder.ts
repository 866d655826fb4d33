import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { hash, sha256, toHex } from '@parley/protocol'
import { AgentError } from '../agent-error.js'

const MAX_FILES = 256
const MAX_FILE_BYTES = 262_144

/** A policy bundle as bytes, and the digest that receipts and decisions name. */
export type BundleFolder = { readonly files: ReadonlyMap<string, Uint8Array>; readonly hash: string }

/**
 * Reads the directory of a policy bundle, as a relay does.
 * @throws AgentError `argument_invalid` on a link, a device, more than 256 files or a file over 256 KiB
 * @see protocol SPEC "Classification and egress"
 */
export const readBundleFolder = (directory: string): BundleFolder => {
  const files = new Map<string, Uint8Array>()
  for (const entry of entriesOf(directory)) {
    const place = join(entry.parentPath, entry.name)
    const path = relative(directory, place).split(sep).join('/')
    if (entry.isDirectory()) continue
    // A link would name bytes that lie outside of what is hashed.
    if (!entry.isFile()) throw unfit(path, 'is not a plain file')
    const bytes = new Uint8Array(readFileSync(place))
    if (bytes.length > MAX_FILE_BYTES || files.size === MAX_FILES)
      throw unfit(path, 'is too large, or one too many')
    files.set(path, bytes)
  }
  const digests = Array.from(files, ([path, bytes]) => [path, toHex(sha256(bytes))] as const)
  return { files, hash: hash(Object.fromEntries(digests)) }
}

const entriesOf = (directory: string) => {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8', withFileTypes: true })
  } catch {
    throw unfit(directory, "can't be read")
  }
}

const unfit = (path: string, what: string): AgentError =>
  new AgentError('argument_invalid', `policy: ${path} ${what}`)
