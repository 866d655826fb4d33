import { checkEgress, type DataPolicy } from '@parley/guardian'
import type { Connect } from './connect.js'

/**
 * The way that is open to the hosts of a policy and to nobody else: any other is refused before its name is resolved, and
 * whoever asked learns no more than that there was no connection.
 * @see protocol SPEC "Classification and egress"
 */
export const connectWithin =
  (policy: DataPolicy, connect: Connect): Connect =>
  async (to, signal) => {
    const { ok, matched_rule } = checkEgress(policy, to)
    if (!ok) throw new Error(`egress is denied: ${matched_rule}`)
    return await connect(to, signal)
  }
