import * as v from 'valibot'

/** What a policy expects of one value: exactly this, one of these, or anything for a stated reason. */
export type ReferenceValue<T> =
  | { readonly equals: T }
  | { readonly one_of: readonly T[] }
  | { readonly any: string }

const REASON = v.pipe(v.string(), v.minLength(1), v.maxLength(256))

/** The closed form of a reference value over values of one form. An empty list is refused: nothing would meet it. */
export const referenceValue = <T>(
  value: v.GenericSchema<unknown, T>,
): v.GenericSchema<unknown, ReferenceValue<T>> =>
  v.union([
    v.strictObject({ equals: value }),
    v.strictObject({ one_of: v.pipe(v.array(value), v.minLength(1), v.maxLength(256)) }),
    v.strictObject({ any: REASON }),
  ])

/** Whether a value is what the policy expects. */
export const meets = <T>(expected: ReferenceValue<T>, actual: T): boolean => {
  if ('any' in expected) return true
  return 'equals' in expected ? expected.equals === actual : expected.one_of.includes(actual)
}
