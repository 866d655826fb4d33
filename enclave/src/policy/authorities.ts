import { parseAuthorities } from '@parley/guardian'
import { parsedOr, type PolicyFiles, readPolicyObject } from './policy-files.js'

const FILE = 'provisioning.json'

/**
 * Reads `provisioning.json`: the DIDs of those who may give a confidential relay its secrets. A bundle without one has
 * no authority, and such a relay takes secrets from nobody.
 * @throws RelayError `policy_malformed`, naming the member
 */
export const readAuthorities = (files: PolicyFiles): readonly string[] =>
  files.has(FILE) ? parsedOr(FILE, () => parseAuthorities(readPolicyObject(files, FILE))) : []
