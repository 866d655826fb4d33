import type { ApprovalRecord } from '@parley/guardian'
import { canonicalize } from '@parley/protocol'

/** Everything that an approval binds, as lines for whoever decides. */
export const approvalText = ({ effect, effect_digest, expires_at, rules, state }: ApprovalRecord): string => {
  const { identity, resource } = effect
  return [
    `${effect_digest}  ${state}`,
    `  effect     ${effect.effect} on ${resource.type} ${resource.id}`,
    `  arguments  ${canonicalize(effect.arguments)}`,
    `  purpose    ${effect.purpose}, ${effect.classification}, seen by ${effect.recipients.join(', ') || 'nobody else'}`,
    `  asked by   ${identity === null ? 'nobody proven' : `${identity.principal.id}, session ${identity.session}`}`,
    `  for        ${identity === null ? 'nobody proven' : `${identity.owner}, tenant ${identity.tenant}`}`,
    `  because    ${rules.join(', ')}`,
    `  until      ${new Date(expires_at * 1000).toISOString()}`,
    '',
  ].join('\n')
}
