import { join } from 'node:path'
import {
  CLOSED_DATA_POLICY,
  type DataPolicy,
  parseEgressPolicy,
  parseEnginePolicy,
  parseResidencyPolicy,
} from '@parley/guardian'
import type { JsonValue } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { json, readState } from './read-state.js'

/**
 * Reads where data of a home may go: `engines.json`, `residency.json` and `egress.json`, in the form of a relay's policy
 * bundle. A file that is not there permits nothing. To be read at every task, so that what its owner changes binds the next.
 * @throws AgentError `state_malformed`, `file_not_private`, `file_unusable`
 * @see protocol SPEC "Classification and egress"
 */
export const readDataPolicy = (folder: string): DataPolicy => {
  const read = <T>(file: string, parse: (value: JsonValue) => T, closed: T): T => {
    try {
      return readState(join(folder, file), json, parse)
    } catch (error) {
      if (error instanceof AgentError && error.code === 'state_missing') return closed
      throw error
    }
  }
  return {
    engines: read('engines.json', parseEnginePolicy, CLOSED_DATA_POLICY.engines),
    residency: read('residency.json', parseResidencyPolicy, CLOSED_DATA_POLICY.residency),
    egress: read('egress.json', parseEgressPolicy, CLOSED_DATA_POLICY.egress),
  }
}
