import { hash } from '@parley/protocol'
import { type Refused, refused } from '../refused.js'
import type { ActGrant } from './grant.js'
import type { GrantCode } from './grant-code.js'
import { isWithinScope } from './scope.js'

type Check = { readonly code: GrantCode; readonly member: string; readonly holds: boolean }
type Constraints = NonNullable<ActGrant['constraints']>

const startOf = ({ nbf, iat }: ActGrant): number => nbf ?? iat
const constraintsOf = ({ constraints }: ActGrant): Constraints => constraints ?? {}
// What does not say that it may be handed on may not.
const depthOf = (of: ActGrant): number => constraintsOf(of).max_depth ?? 0

/**
 * Holds a token to the one that it was made from: handed on by its holder, for the same place, and strictly narrower.
 * @returns undefined where it is; the pointer is the child's member
 */
export const checkDelegation = (child: ActGrant, parent: ActGrant): Refused<GrantCode> | undefined => {
  const failed = checksOf(child, parent).find(({ holds }) => !holds)
  return failed && refused(failed.code, failed.member)
}

const checksOf = (child: ActGrant, parent: ActGrant): readonly Check[] => [
  { code: 'chain_broken', member: '/prf', holds: child.prf === hash(parent) },
  { code: 'chain_broken', member: '/iss', holds: child.iss === parent.sub },
  { code: 'chain_broken', member: '/aud', holds: child.aud === parent.aud },
  { code: 'scope_amplified', member: '/scope', holds: isWithinScope(child.scope, parent.scope) },
  { code: 'expiry_amplified', member: '/exp', holds: child.exp <= parent.exp },
  { code: 'expiry_amplified', member: '/iat', holds: startOf(child) >= startOf(parent) },
  { code: 'constraint_amplified', member: '/constraints', holds: isConstrainedAs(child, parent) },
  { code: 'not_strict_subset', member: '', holds: !isAsWide(child, parent) },
  { code: 'depth_amplified', member: '/constraints/max_depth', holds: depthOf(child) < depthOf(parent) },
]

const isConstrainedAs = (child: ActGrant, parent: ActGrant): boolean => {
  const [inner, outer] = [constraintsOf(child), constraintsOf(parent)]
  return (
    (outer.contract_hash === undefined || inner.contract_hash === outer.contract_hash) &&
    (outer.purpose === undefined || inner.purpose === outer.purpose) &&
    (outer.max_uses === undefined || (inner.max_uses ?? Infinity) <= outer.max_uses)
  )
}

/** True if the child may do all that the parent may: a copy, not a part. */
const isAsWide = (child: ActGrant, parent: ActGrant): boolean =>
  isWithinScope(parent.scope, child.scope) &&
  parent.exp <= child.exp &&
  startOf(parent) >= startOf(child) &&
  isConstrainedAs(parent, child) &&
  depthOf(parent) <= depthOf(child)
