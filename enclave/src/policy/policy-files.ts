import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import {
  hash,
  type JsonObject,
  isJsonObject,
  parseJson,
  ProtocolError,
  sha256,
  toHex,
} from '@parley/protocol'
import { RelayError } from '../relay-error.js'

const MAX_FILES = 256
/** No longer file is read, in octets. */
export const MAX_FILE_BYTES = 262_144

/** The files of a bundle by their path, which uses `/`. */
export type PolicyFiles = ReadonlyMap<string, Uint8Array>

/**
 * Reads a directory, once: what is hashed is what is parsed.
 * @throws RelayError `policy_malformed` on a link, a device, more than 256 files or a file over 256 KiB
 */
export function readPolicyFiles(directory: string): PolicyFiles {
  const files = new Map<string, Uint8Array>()
  for (const entry of list(directory)) {
    const place = join(entry.parentPath, entry.name)
    const path = relative(directory, place).split(sep).join('/')
    if (entry.isDirectory()) continue
    // A link would name bytes that lie outside of what was measured.
    if (!entry.isFile()) throw policyMalformed(path, 'is not a plain file')
    const bytes = new Uint8Array(readFileSync(place))
    if (bytes.length > MAX_FILE_BYTES || files.size === MAX_FILES)
      throw policyMalformed(path, 'is too large, or one too many')
    files.set(path, bytes)
  }
  return files
}

function list(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8', withFileTypes: true })
  } catch {
    throw policyMalformed('.', 'cannot be read')
  }
}

/** hash({path: digest of the file, …}) */
export function hashPolicyFiles(files: PolicyFiles): string {
  return hash(Object.fromEntries(Array.from(files, ([path, bytes]) => [path, toHex(sha256(bytes))])))
}

/**
 * The JSON object of a file.
 * @throws RelayError `policy_malformed`
 */
export function readPolicyObject(files: PolicyFiles, path: string): JsonObject {
  const bytes = files.get(path)
  if (bytes === undefined) throw policyMalformed(path, 'is missing')
  const value = parsedOr(path, () => parseJson(bytes))
  if (!isJsonObject(value)) throw policyMalformed(path, 'is not a JSON object')
  return value
}

/**
 * Runs a parser of the protocol on something from a file.
 * @throws RelayError `policy_malformed`, naming the file
 */
export function parsedOr<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ProtocolError) throw policyMalformed(path, error.message)
    throw error
  }
}

/** The error of a file. */
export const policyMalformed = (path: string, what: string): RelayError =>
  new RelayError('policy_malformed', `policy bundle: ${path} ${what}`)
