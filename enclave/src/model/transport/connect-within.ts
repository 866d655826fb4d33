import { checkEgress, type DataPolicy } from '@parley/guardian'
import type { AuditLog } from '../../audit/audit-log.js'
import type { Connect } from './connect.js'

/**
 * The way that is open to the hosts of a policy and to nobody else: any other is refused before its name is resolved, and
 * whoever asked learns no more than that there was no connection.
 * @param audit takes an entry of each refusal, where there is a log
 * @see protocol SPEC "Classification and egress"
 */
export const connectWithin =
  (policy: DataPolicy, connect: Connect, audit?: Pick<AuditLog, 'append'>): Connect =>
  async (to, signal) => {
    const { ok, matched_rule: rule } = checkEgress(policy, to)
    if (ok) return await connect(to, signal)
    // Only the bundle's providers are asked, so that a name is the bundle's own.
    const host = rule === 'host_malformed' ? null : to.host
    await audit?.append({ event: 'egress.blocked', fields: { host, port: to.port, rule } })
    throw new Error(`egress is denied: ${rule}`)
  }
