import * as v from 'valibot'
import { equalBytes } from '../equal-bytes.js'
import { fromHex } from '../hex.js'

/** Exactly this value, or one of these; in hex. */
export type Expectation = { readonly equals: string } | { readonly one_of: readonly string[] }

/** What may be expected of an identity: also any value, for a stated reason. */
export type IdentityExpectation = Expectation | { readonly any: string }

/** Why somebody does without: shown wherever the result is shown. */
export const REASON = v.pipe(v.string(), v.minLength(1), v.maxLength(256))

const MOST_VALUES = 256

const hex = (bytes: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`)))

const exact = (bytes: number) =>
  [
    v.strictObject({ equals: hex(bytes) }),
    v.strictObject({ one_of: v.pipe(v.array(hex(bytes)), v.minLength(1), v.maxLength(MOST_VALUES)) }),
  ] as const

/** The form of an expectation of so many bytes. */
export const expectation = (bytes: number): v.GenericSchema<unknown, Expectation> =>
  v.union([...exact(bytes)])

/** The form of an expectation of an identity of so many bytes. */
export const identityExpectation = (bytes: number): v.GenericSchema<unknown, IdentityExpectation> =>
  v.union([...exact(bytes), v.strictObject({ any: REASON })])

/** Whether a value of a report is what is expected. */
export const meets = (expected: Expectation, actual: Uint8Array): boolean => {
  const values = 'equals' in expected ? [expected.equals] : expected.one_of
  return values.map(fromHex).some((value) => value !== null && equalBytes(value, actual))
}
