import { demand } from '../errors.js'
import type { GuestPolicy } from '../report/guest-policy.js'
import { reference } from './complete-policy.js'
import type { Rule } from './rule.js'

const PERMISSIONS = ['smt', 'migrate_ma', 'cxl'] as const
const RESTRICTIONS = [
  'single_socket',
  'aes_256_xts',
  'rapl_disabled',
  'ciphertext_hiding',
  'page_swap_disabled',
] as const

type AbiVersion = { readonly major: number; readonly minor: number }

const isAtLeast = ({ abi_major, abi_minor }: GuestPolicy, { major, minor }: AbiVersion): boolean =>
  abi_major > major || (abi_major === major && abi_minor >= minor)

/** The guest was launched with no permission that is forbidden, and with each restriction that is required. */
export const guestPolicyRule: Rule = ({ signed, policy }) => {
  const expected = reference(policy.guest_policy, 'guest_policy')
  const actual = signed.report.policy
  const wrong =
    PERMISSIONS.find((bit) => expected[bit] !== 'allow' && actual[bit]) ??
    RESTRICTIONS.find((bit) => expected[bit] !== 'any' && !actual[bit])
  demand(isAtLeast(actual, expected.abi_minimum), 'guest_policy_refused', 'POLICY: the ABI is too old')
  demand(wrong === undefined, 'guest_policy_refused', `POLICY: ${wrong} is not as expected`)
  return 'passed'
}

/** The host can't decrypt the guest's memory through the debug interface. */
export const debugRule: Rule = ({ signed, policy }) => {
  reference(policy.guest_policy, 'guest_policy')
  demand(!signed.report.policy.debug, 'debug_enabled', 'POLICY lets the host debug the guest')
  return 'passed'
}
