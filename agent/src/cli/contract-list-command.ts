import { ARTEFACT_KINDS, type ArtefactKind, type Registry } from '@parley/guardian'
import { printable } from '@parley/verifier/node'
import { openRegistry, type RegistryOption } from './contract-registry.js'
import { type Io, printJson } from './io.js'

/** The options of `parley contract list`. */
export type ListOptions = RegistryOption & { readonly all?: true; readonly json?: true }

/** `parley contract list`: what the registry offers, or everything in it. */
export const runList = (options: ListOptions, io: Io): number => {
  const registry = openRegistry(options, io)
  const kinds = options.all === true ? ARTEFACT_KINDS : (['contract_offer'] as const)
  if (options.json === true) printJson(io, listed(registry, kinds))
  else for (const kind of kinds) for (const line of lines(registry, kind)) io.out(`${printable(line)}\n`)
  return 0
}

const listed = (registry: Registry, kinds: readonly ArtefactKind[]) => ({
  registry_root: registry.rootHash,
  artefacts: Object.fromEntries(kinds.map((kind) => [kind, registry.list(kind)])),
})

const lines = (registry: Registry, kind: ArtefactKind): readonly string[] =>
  registry
    .list(kind)
    .map(({ id, version, status, hash, description }) =>
      [id, version, status, hash.slice(0, 16), description].join('  '),
    )
