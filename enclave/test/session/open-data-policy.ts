import { readFileSync } from 'node:fs'
import {
  CLOSED_DATA_POLICY,
  type DataPolicy,
  parseEnginePolicy,
  parseResidencyPolicy,
} from '@parley/guardian'
import { isJsonObject, type JsonObject, parseJson } from '@parley/protocol'

const shipped = (name: string): JsonObject => {
  const value = parseJson(readFileSync(new URL(`../../../infra/policy/${name}`, import.meta.url)))
  if (!isJsonObject(value)) throw new Error(`${name} is no object`)
  return value
}

const ENGINES = ['cel', 'local', 'openai', 'anthropic']

/** The shipped policy on data, and providers in the EU beside the engines that it lists. */
export const OPEN_DATA_POLICY: DataPolicy = {
  ...CLOSED_DATA_POLICY,
  engines: parseEnginePolicy({
    ...shipped('engines.json'),
    engines: ENGINES.map((id) =>
      id === 'cel' || id === 'local'
        ? { id, locality: 'local', egress: 'none' }
        : { id, locality: 'eu_cloud', egress: 'external' },
    ),
    allowed_engines: ENGINES,
  }),
  residency: parseResidencyPolicy(shipped('residency.json')),
}
