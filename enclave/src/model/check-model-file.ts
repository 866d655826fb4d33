import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Provider } from '../policy/providers.js'
import { RelayError } from '../relay-error.js'

/**
 * Holds a local model's file against the hash that the policy bundle pins. Where the bundle gives no path, the image
 * that holds both answers for it.
 * @throws RelayError `config_malformed` where the file cannot be read, or is another
 */
export const checkModelFile = async ({ name, model_file }: Provider): Promise<void> => {
  const path = model_file?.path ?? null
  if (model_file === null || path === null) return
  const digest = createHash('sha256')
  try {
    await pipeline(createReadStream(path), digest)
  } catch {
    throw refused(name, 'cannot be read')
  }
  if (digest.digest('hex') !== model_file.sha256) throw refused(name, 'is not the one that is pinned')
}

const refused = (name: string, what: string): RelayError =>
  new RelayError('config_malformed', `the model file of provider ${name} ${what}`)
