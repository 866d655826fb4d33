import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  admitArtefacts,
  type AdmissionList,
  loadRegistry,
  type Registry,
  registryFiles,
} from '@parley/guardian'
import { MAX_FILE_BYTES, parsedOr, policyMalformed } from './policy-files.js'

/** The registry that comes with this build. Whether it is the one that a policy bundle means, its root hash says. */
export const SHIPPED_REGISTRY = fileURLToPath(new URL('../../../registry', import.meta.url))

/**
 * What a bundle's admission list admits of the registry in a directory. The directory is not part of the bundle: the
 * bundle's hash covers the root hash, and the root hash every file.
 * @throws RelayError `policy_malformed`
 */
export function readRegistry(directory: string, list: AdmissionList): Registry {
  const files = registryFiles({
    names: (folder) => readOr(folder, () => readdirSync(join(directory, folder))),
    read: (path) => readBounded(directory, path),
  })
  return parsedOr('registry-admission.json', () => admitArtefacts(loadRegistry(files), list))
}

function readBounded(directory: string, path: string): Uint8Array {
  const bytes = readOr(path, () => new Uint8Array(readFileSync(join(directory, path))))
  if (bytes.length > MAX_FILE_BYTES) throw policyMalformed(path, 'of the registry is too large')
  return bytes
}

function readOr<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw policyMalformed(path, 'of the registry cannot be read')
  }
}
