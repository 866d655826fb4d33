import { isJsonObject, type JsonValue, type Role } from '@parley/protocol'
import type { GuardianPolicy } from './guardian-policy.js'

/** What one participant gets instead of the output. */
export type NarrowedOutput = { readonly role: Role; readonly output: JsonValue }

/**
 * What a policy's `recipient_narrowing` rules leave for each of these roles that one names, in role order: the output
 * without the members that they omit. A role that is named has a row also where nothing was there to omit, so that the
 * rows tell nothing of the output.
 */
export const narrowOutput = (
  policy: GuardianPolicy,
  output: JsonValue,
  roles: readonly Role[],
): readonly NarrowedOutput[] =>
  roles.flatMap((role) => {
    const omitted = omittedFor(policy, role)
    return omitted === null ? [] : [{ role, output: without(output, omitted) }]
  })

/** The members that a policy keeps from a role; null where no rule names it. */
export const omittedFor = ({ rules }: GuardianPolicy, role: Role): ReadonlySet<string> | null => {
  const omits = rules.flatMap((rule) =>
    rule.type === 'recipient_narrowing' && rule.role === role ? [rule.omit] : [],
  )
  return omits.length === 0 ? null : new Set(omits.flat())
}

const without = (output: JsonValue, omitted: ReadonlySet<string>): JsonValue =>
  isJsonObject(output)
    ? Object.fromEntries(Object.entries(output).filter(([name]) => !omitted.has(name)))
    : output
