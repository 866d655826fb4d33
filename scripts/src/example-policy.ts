import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, parseJson } from '@parley/protocol'

const FILE = new URL('../../attestation/examples/appraisal-policy.json', import.meta.url)

/** The complete appraisal policy that `attestation` publishes: who needs another one changes some members. */
export const examplePolicy = (): JsonObject => {
  const value = parseJson(readFileSync(FILE))
  if (!isJsonObject(value)) throw new Error('the example policy is no object')
  return value
}
