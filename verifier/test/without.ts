/** An object without some of its members. */
export const without = <T extends object, K extends keyof T>(
  object: T,
  ...members: readonly K[]
): Omit<T, K> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name as K))) as Omit<T, K>
