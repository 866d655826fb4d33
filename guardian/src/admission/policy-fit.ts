import { type Contract, rolesOf } from '@parley/protocol'
import type { OutputShape } from '../capacity/output-shape.js'
import { canaryLength } from '../policy/canary-rules.js'
import { hasFreeStrings } from '../policy/free-strings.js'
import type { GuardianPolicy } from '../policy/guardian-policy.js'
import { omittedFor } from '../policy/narrow-output.js'
import { type Refused, refused } from '../refused.js'
import type { Shape } from '../schema/shape.js'

/** Why a policy's rules can't hold a contract's outputs. The union is closed. */
export type PolicyFitCode =
  | 'output_too_large_for_canaries'
  /** A narrowing rule omits a member that no output has: what it was to keep back may have another name. */
  | 'narrowing_unmatched'

/** The longest output with free strings, in bytes, that canary rules read: each has some twenty readings. */
const MOST_OUTPUT_BYTES = 4096

/** Whether the rules of a policy mean something for a contract's outputs, and can be applied to them in time. */
export const checkPolicyFit = (
  policy: GuardianPolicy,
  output: OutputShape,
  { participants }: Contract,
): Refused<PolicyFitCode> | null =>
  checkCanaries(policy, output) ?? checkNarrowing(policy, output.root, participants.length)

const checkCanaries = (
  policy: GuardianPolicy,
  { root, maxOutputBytes }: OutputShape,
): Refused<PolicyFitCode> | null =>
  canaryLength(policy) !== null && maxOutputBytes > MOST_OUTPUT_BYTES && hasFreeStrings(root)
    ? refused(
        'output_too_large_for_canaries',
        '/output_schema',
        `${maxOutputBytes} bytes over ${MOST_OUTPUT_BYTES}`,
      )
    : null

const checkNarrowing = (
  policy: GuardianPolicy,
  root: Shape,
  participants: number,
): Refused<PolicyFitCode> | null => {
  const names = rolesOf(participants).flatMap((role) => [...(omittedFor(policy, role) ?? [])])
  const strange = names.find((name) => !declares(root, name))
  return strange === undefined ? null : refused('narrowing_unmatched', '/output_schema', strange)
}

const declares = (shape: Shape, name: string): boolean =>
  shape.kind === 'union'
    ? shape.branches.some((branch) => declares(branch, name))
    : shape.kind === 'object' && shape.members.has(name)
