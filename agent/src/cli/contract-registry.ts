import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ArtefactKind, loadRegistry, type Registry, registryFiles } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import type { Io } from './io.js'

/** The option of every command that reads a registry. */
export type RegistryOption = { readonly registry?: string }

const SHIPPED = fileURLToPath(new URL('../../../registry', import.meta.url))

/**
 * The registry that the user named: by the option, by PARLEY_REGISTRY, or the one of this build.
 * @throws AgentError `argument_invalid`; ProtocolError, naming the file that is not what it should be
 */
export const openRegistry = ({ registry }: RegistryOption, { env }: Io): Registry =>
  loadRegistry(readRegistryFiles(registry ?? env['PARLEY_REGISTRY'] ?? SHIPPED))

/** The files of a registry's directory. @throws AgentError `argument_invalid` */
export const readRegistryFiles = (directory: string): ReadonlyMap<string, Uint8Array> =>
  registryFiles({
    names: (folder) => orUnreadable(directory, () => readdirSync(join(directory, folder))),
    read: (path) => orUnreadable(directory, () => new Uint8Array(readFileSync(join(directory, path)))),
  })

const orUnreadable = <T>(directory: string, read: () => T): T => {
  try {
    return read()
  } catch {
    throw new AgentError('argument_invalid', `${directory} is no registry that can be read`)
  }
}

/** What a user may call an artefact: a hash, an alias, a channel, or the name of a channel alone. */
export const resolveName = (registry: Registry, kind: ArtefactKind, name: string): string | undefined =>
  registry.resolve(kind, name) ?? registry.resolve(kind, `${name}@latest`)
