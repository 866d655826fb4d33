import type { DataPolicy } from '../classification/data-policy.js'
import { isInRegion } from '../classification/residency-policy.js'
import { isHostName, matchesHost } from './host-pattern.js'

/** What decided on a host. The list is closed. */
export type EgressRule =
  | 'host_malformed'
  | 'forbidden_explicit'
  | 'preset_region'
  | 'default_deny'
  | 'allowed_explicit'

/** Whether a host may be reached, and by which rule. */
export type EgressDecision = {
  readonly ok: boolean
  readonly matched_rule: EgressRule
}

/**
 * Whether a socket to a host may be opened: forbidden beats allowed, allowed beats the default, which is no. It is asked
 * with the name that will be resolved, where the socket is opened, and not before.
 * @param to a DNS name in lower case; an address is refused
 * @see protocol SPEC "Classification and egress"
 */
export const checkEgress = (
  { egress, residency }: Pick<DataPolicy, 'egress' | 'residency'>,
  to: { readonly host: string; readonly port: number },
): EgressDecision => {
  if (!isHostName(to.host)) return no('host_malformed')
  if (egress.forbidden_hosts.some((pattern) => matchesHost(pattern, to.host))) return no('forbidden_explicit')
  const rows = egress.allowed_hosts.filter(({ host, port }) => port === to.port && matchesHost(host, to.host))
  if (rows.length === 0) return no('default_deny')
  // Of several rows that name a host the one that speaks against it counts.
  return rows.every(({ region }) => isInRegion(residency, region))
    ? { ok: true, matched_rule: 'allowed_explicit' }
    : no('preset_region')
}

const no = (matched_rule: EgressRule): EgressDecision => ({ ok: false, matched_rule })
