import { readFileSync } from 'node:fs'
import { type JsonObject, parseJson } from '@parley/protocol'
import {
  type DataPolicy,
  parseEgressPolicy,
  parseEnginePolicy,
  parseResidencyPolicy,
} from '../../src/index.js'

const shipped = (file: string): JsonObject =>
  parseJson(readFileSync(new URL(`../../../infra/policy/${file}`, import.meta.url))) as JsonObject

export const ENGINES = shipped('engines.json')
export const RESIDENCY = shipped('residency.json')
export const EGRESS = shipped('egress.json')

export const engines = [
  { id: 'cel', locality: 'local', egress: 'none' },
  { id: 'lan', locality: 'local', egress: 'local' },
  { id: 'eu', locality: 'eu_cloud', egress: 'external' },
  { id: 'us', locality: 'us_cloud', egress: 'external' },
  { id: 'far', locality: 'unknown', egress: 'external' },
]

/** The shipped policy with engines of every place, all of them allowed. */
export const dataPolicy = (residency: object = {}, change: object = {}, egress: object = {}): DataPolicy => ({
  engines: parseEnginePolicy({
    ...ENGINES,
    engines,
    allowed_engines: engines.map(({ id }) => id),
    ...change,
  }),
  residency: parseResidencyPolicy({ ...RESIDENCY, ...residency }),
  egress: parseEgressPolicy({ ...EGRESS, ...egress }),
})
