import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { itemName } from '../../collateral/collateral-item.js'
import type { CollateralCache } from '../../collateral/obtain.js'
import { AttestationError } from '../../errors.js'
import { systemCode } from '../kernel-failure.js'

const MAX_BYTES = 1 << 16

const unusable = (path: string, error: unknown): AttestationError =>
  new AttestationError('cache_unusable', `${path}: ${systemCode(error) ?? 'failed'}`)

const read = async (path: string): Promise<Uint8Array | null> => {
  try {
    // Whatever is that large was not put there by us.
    return (await stat(path)).size > MAX_BYTES ? null : await readFile(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw unusable(path, error)
  }
}

const writeDraft = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

// Written whole and then renamed: a reader sees the old file, or the new one.
const write = async (directory: string, name: string, bytes: Uint8Array): Promise<void> => {
  const draft = join(directory, `.${name}-${randomBytes(8).toString('hex')}`)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeDraft(draft, bytes)
    await rename(draft, join(directory, name))
  } catch (error) {
    // The first error says more than a second one from cleaning up.
    await rm(draft, { force: true }).catch(() => undefined)
    throw unusable(join(directory, name), error)
  }
}

/**
 * A cache in a directory of this user alone: one file for each item, named by all that it depends on. Nothing in it is
 * believed for being there.
 * @throws AttestationError cache_unusable
 */
export const collateralCache = (directory: string): CollateralCache => ({
  read: (item) => read(join(directory, itemName(item))),
  write: (item, bytes) => write(directory, itemName(item), bytes),
})
