import * as v from 'valibot'
import { AttestationError } from '../errors.js'
import { missing } from '../policy/complete-policy.js'
import { expectation, hex, identityExpectation, open } from '../policy/expectation.js'

const MOST_KERNELS = 64

const roots = v.pipe(v.array(v.picklist(['amd', 'google'])), v.minLength(1), v.maxLength(2))
const pcrNumber = v.pipe(v.string(), v.regex(/^(?:[0-9]|1[0-9]|2[0-3])$/))

/** The form of what is expected of a boot. Nothing in it is optional. */
const BOOT_POLICY_SCHEMA = v.strictObject({
  /** Whose word counts for which claim. */
  accept: v.strictObject({ launch: roots, boot: roots, app: roots }),
  /** Registers that must be quoted, beside those that the facts rest on, and their values. */
  pcrs: v.record(pcrNumber, identityExpectation(32)),
  secure_boot: v.union([v.literal('required'), open]),
  /** Authenticode digest of the unified kernel image, as firmware measures it. */
  uki: expectation(32),
  /** Digests of what the image may have firmware start after it: its own kernel, where Secure Boot is off. */
  inner_kernels: v.pipe(v.array(hex(32)), v.maxLength(MOST_KERNELS)),
  /** Digest of the section `.cmdline`, and of whatever may stand in for it. */
  command_line: expectation(32),
})

/** What somebody expects of a boot. Read by `parseBootPolicy`. */
export type BootPolicy = v.InferOutput<typeof BOOT_POLICY_SCHEMA>

/**
 * Reads what is expected of a boot. What is left out is refused, and so is an unknown member.
 * @throws AttestationError reference_value_missing, naming the member; policy_malformed
 */
export const parseBootPolicy = (value: unknown): BootPolicy => {
  const result = v.safeParse(BOOT_POLICY_SCHEMA, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const member = `boot.${(v.getDotPath(issue) ?? '').slice(0, 128)}`
  if (issue.received === 'undefined' && issue.type === 'strict_object') throw missing(member)
  throw new AttestationError('policy_malformed', `policy: the member ${member} is unknown or wrong`)
}
