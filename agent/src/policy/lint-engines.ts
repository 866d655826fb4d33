import { checkEngineKinds, parseEnginePolicy, parseProviderList } from '@parley/guardian'
import { type FileFinding, findingOf, parsedIn } from './finding.js'

const ENGINES = 'engines.json'

/** Checks that engines which bear a provider's name are what the provider is. */
export const lintEngines = (files: ReadonlyMap<string, Uint8Array>): readonly FileFinding[] => {
  const engines = parsedIn(files, ENGINES, parseEnginePolicy)
  const providers = parsedIn(files, 'providers.json', parseProviderList) ?? []
  if (engines === undefined) return []
  return [
    findingOf(ENGINES, () => {
      checkEngineKinds(engines, providers)
    }),
  ]
}
