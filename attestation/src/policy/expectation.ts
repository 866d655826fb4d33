import * as v from 'valibot'
import { isHexOf } from '../hex.js'

/** Exactly this value, or one of these; byte strings in hex. */
export type Expectation = { readonly equals: string } | { readonly one_of: readonly string[] }

/** What may be expected of an identity: also any value, for a stated reason. */
export type IdentityExpectation = Expectation | { readonly any: string }

const MOST_CHARACTERS = 256

/** Why somebody does without: shown wherever the result is shown. Characters are counted as JSON Schema counts them. */
export const REASON = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(2 * MOST_CHARACTERS),
  v.check((text) => Array.from(text).length <= MOST_CHARACTERS),
)

/** The form of a member that is left open, and why. */
export const open = v.strictObject({ any: REASON })

const MOST_VALUES = 256

/** Lower-case hex of so many bytes. */
export const hex = (bytes: number): v.GenericSchema<string> =>
  v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`)))

/** A list that says something: 1 to 256 values. */
export const someOf = (item: v.GenericSchema<string>): v.GenericSchema<string[]> =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(MOST_VALUES))

const exact = (value: v.GenericSchema<string>) =>
  [v.strictObject({ equals: value }), v.strictObject({ one_of: someOf(value) })] as const

/** The form of an expectation of so many bytes. */
export const expectation = (bytes: number): v.GenericSchema<unknown, Expectation> =>
  v.union([...exact(hex(bytes))])

/** The form of an expectation of an identity of so many bytes. */
export const identityExpectation = (bytes: number): v.GenericSchema<unknown, IdentityExpectation> =>
  v.union([...exact(hex(bytes)), open])

/** The form of an expectation of a name in printable ASCII. */
export const nameExpectation: v.GenericSchema<unknown, IdentityExpectation> = v.union([
  ...exact(v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,128}$/))),
  open,
])

/** Whether a name is what is expected. */
export const meetsName = (expected: Expectation, actual: string): boolean =>
  'equals' in expected ? expected.equals === actual : expected.one_of.includes(actual)

/** Whether a value of a report is what is expected. */
export const meets = (expected: Expectation, actual: Uint8Array): boolean =>
  'equals' in expected
    ? isHexOf(expected.equals, actual)
    : expected.one_of.some((text) => isHexOf(text, actual))
