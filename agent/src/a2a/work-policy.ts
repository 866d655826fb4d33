import { statSync } from 'node:fs'
import {
  type DataPolicy,
  parseEnginePolicy,
  parseResidencyPolicy,
  type Policy,
  POLICY_FAILED,
  WIDEST_MATRIX,
} from '@parley/guardian'
import { loadCedarPolicy } from '@parley/guardian/cedar'
import { hash, ProtocolError } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { readDataPolicy } from '../data-policy.js'
import { readBundleFolder } from '../policy/read-bundle-folder.js'
import { isCode } from '../private-file.js'

/** The engine that a worker is unless it is given another name. */
export const COMMAND_ENGINE = 'command'

const ENGINES = {
  version: 'parley-engines-v1',
  matrix: WIDEST_MATRIX,
  // Nothing confines a command: what it is given may go anywhere, and so SECRET never goes to it.
  engines: [{ id: COMMAND_ENGINE, locality: 'local', egress: 'external' }],
  allowed_engines: [COMMAND_ENGINE],
  forbid_engines: [],
} as const

const DEFAULT_DATA = {
  engines: parseEnginePolicy(ENGINES),
  residency: parseResidencyPolicy({
    version: 'parley-residency-v1',
    data_residency: 'local',
    preset: null,
  }),
}

/** What an owner grants in an origin's file, an executor and its persona, is what is let through. */
const DEFAULT_RULES: Policy = {
  bundleHash: hash({ engines: ENGINES, rule: 'origin_executor' }),
  decide: ({ action }) =>
    action === 'tool.invoke'
      ? { decision: 'allow', rules: ['origin_executor'] }
      : { decision: 'deny', rules: [] },
}

const UNREADABLE: Policy = {
  bundleHash: hash({ rule: POLICY_FAILED }),
  decide: () => ({ decision: 'deny', rules: [POLICY_FAILED] }),
}

/**
 * The rules for what works on tasks: the Cedar rules of a folder, which has a policy bundle's form, or, where there is no
 * folder, what the origins' files say. A folder that can't be read, that others may read or that holds no rules denies.
 */
export const workRules = (folder: string): Policy => {
  try {
    if (!isThere(folder)) return DEFAULT_RULES
    const { files, hash: bundleHash } = readBundleFolder(folder)
    return loadCedarPolicy(files, bundleHash)
  } catch (error) {
    if (error instanceof AgentError || error instanceof ProtocolError) return UNREADABLE
    throw error
  }
}

/**
 * Where the data of tasks may go: what the folder says and nothing else, or, where there is none, to the command.
 * @throws AgentError `state_malformed`, `file_not_private`, `file_unusable`
 */
export const workData = (folder: string): Pick<DataPolicy, 'engines' | 'residency'> =>
  isThere(folder) ? readDataPolicy(folder) : DEFAULT_DATA

const isThere = (folder: string): boolean => {
  try {
    if ((statSync(folder).mode & 0o077) === 0) return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw new AgentError('file_unusable', `${folder} can't be read`)
  }
  throw new AgentError('file_not_private', `${folder} is open to others; chmod 700 it`)
}
