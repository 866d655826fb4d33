import type { Provider } from '../policy/providers.js'
import { RelayError } from '../relay-error.js'

/**
 * The key files of a configuration, by the names of providers.
 * @param member what names them, for the message
 * @throws RelayError `config_malformed` on a key of no provider
 */
export function keyFilesOf(
  providers: readonly Pick<Provider, 'name'>[],
  keys: Readonly<Record<string, string>>,
  member: string,
): ReadonlyMap<string, string> {
  const files = new Map(Object.entries(keys))
  for (const name of files.keys())
    if (!providers.some((provider) => provider.name === name))
      throw new RelayError('config_malformed', `${member} names no provider: ${name}`)
  return files
}
