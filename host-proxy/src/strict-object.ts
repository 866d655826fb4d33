/** An object of exactly the named members, as JSON gave it. */
export type StrictObject = Readonly<Record<string, unknown>>

/**
 * Checks that a value is an object which has each required member and no member that is not named.
 * @throws Error that names the member, never its value.
 */
export const strictObject = (
  value: unknown,
  what: string,
  {
    required,
    optional = [],
  }: { readonly required: readonly string[]; readonly optional?: readonly string[] },
): StrictObject => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${what} is not an object`)
  const entries = Object.entries(value)
  for (const [member] of entries)
    if (!required.includes(member) && !optional.includes(member))
      throw new Error(`${what}: unknown member ${member}`)
  for (const member of required)
    if (!Object.hasOwn(value, member)) throw new Error(`${what}: no member ${member}`)
  return Object.fromEntries(entries)
}

/**
 * An integer of at least `least`.
 * @throws Error that names the member.
 */
export const strictInteger = (
  value: unknown,
  what: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
    throw new Error(`${what} is not an integer from ${least} to ${most}`)
  return value
}
