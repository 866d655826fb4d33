import { type Limits, parseLimits as parse } from '@parley/guardian'
import type { JsonObject } from '@parley/protocol'
import { parsedOr } from './policy-files.js'

export type { Limits } from '@parley/guardian'

/**
 * Reads `limits.json`; every bound is stated.
 * @throws RelayError `policy_malformed`, naming the member
 */
export const parseLimits = (value: JsonObject): Limits => parsedOr('limits.json', () => parse(value))
