import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GuardianPolicy,
  loadRegistry,
  parseGuardianPolicy,
  type Registry,
  registryFiles,
} from '@parley/guardian'
import { type JsonObject, ProtocolError } from '@parley/protocol'
import type { PolicyBundle } from '../policy-bundle.js'
import { RelayError } from '../relay-error.js'

/** What contracts may name. */
export type Artefacts = {
  readonly registry: Registry
  /** By hash. */
  readonly policies: ReadonlyMap<string, GuardianPolicy>
  readonly defaultPolicy: GuardianPolicy
  readonly schemaHashes: readonly string[]
}

/**
 * What the policy bundle admits, and beside it the whole of a directory in the form of a registry: who names it runs
 * the relay.
 * @throws RelayError `policy_malformed`
 */
export function openArtefacts(bundle: PolicyBundle, directory: string | null): Artefacts {
  const registries = directory === null ? [bundle.registry] : [bundle.registry, readWhole(directory)]
  const policies = new Map<string, GuardianPolicy>()
  for (const [hash, policy] of bundle.guardianPolicies) policies.set(hash, parsed(policy))
  for (const registry of registries)
    for (const [hash, policy] of artefactsOf(registry, 'policy')) policies.set(hash, parsed(policy))
  const defaultPolicy = policies.get(bundle.defaultGuardianPolicy)
  if (defaultPolicy === undefined) throw malformed('the default guardian policy is missing')
  const schemaHashes = registries.flatMap((registry) => artefactsOf(registry, 'schema').map(([hash]) => hash))
  return { registry: inTurn(registries), policies, defaultPolicy, schemaHashes: [...new Set(schemaHashes)] }
}

function artefactsOf(
  registry: Registry,
  kind: 'policy' | 'schema',
): readonly (readonly [string, JsonObject])[] {
  return registry.list(kind).flatMap(({ hash }) => {
    const artefact = registry.artefact(kind, hash)
    return artefact === undefined ? [] : [[hash, artefact] as const]
  })
}

/** The first that has something has the word: a hash means the same in each. */
function inTurn(registries: readonly Registry[]): Registry {
  const first = <T>(ask: (registry: Registry) => T | undefined): T | undefined => {
    for (const registry of registries) {
      const found = ask(registry)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    rootHash: registries[0]?.rootHash ?? '',
    artefact: (kind, hash) => first((registry) => registry.artefact(kind, hash)),
    resolve: (kind, reference) => first((registry) => registry.resolve(kind, reference)),
    list: (kind) => registries.flatMap((registry) => registry.list(kind)),
  }
}

function readWhole(directory: string): Registry {
  return orMalformed(() =>
    loadRegistry(
      registryFiles({
        names: (folder) => readdirSync(join(directory, folder)),
        read: (path) => new Uint8Array(readFileSync(join(directory, path))),
      }),
    ),
  )
}

const parsed = (policy: JsonObject): GuardianPolicy => orMalformed(() => parseGuardianPolicy(policy))

function orMalformed<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw malformed(error instanceof ProtocolError ? error.message : 'the registry cannot be read')
  }
}

const malformed = (what: string): RelayError => new RelayError('policy_malformed', `agentvault-api: ${what}`)
