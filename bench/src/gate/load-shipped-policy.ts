import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CedarPolicy, loadCedarPolicy } from '@parley/guardian/cedar'

const FOLDER = fileURLToPath(new URL('../../../infra/policy/cedar', import.meta.url))

/** The Cedar rules of the policy bundle in this tree. */
export const loadShippedPolicy = (): CedarPolicy => {
  const files = readdirSync(FOLDER).map(
    (name) => [`cedar/${name}`, new Uint8Array(readFileSync(join(FOLDER, name)))] as const,
  )
  return loadCedarPolicy(new Map(files), '0'.repeat(64))
}
