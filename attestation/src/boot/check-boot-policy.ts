import { AttestationError, demand } from '../errors.js'
import { isHexOf } from '../hex.js'
import { type Expectation, meets } from '../policy/expectation.js'
import { type BootFacts, REGISTERS_OF_FACTS } from './boot-facts.js'
import type { BootPolicy } from './boot-policy.js'
import type { CheckResult } from '../checks.js'

/** What is held against a policy: registers by number, and whether the TPM attests them. */
export type BootToCheck = {
  readonly facts: BootFacts
  readonly quoted: readonly number[]
  readonly registers: readonly Uint8Array[]
  readonly policy: BootPolicy
}

/** What is expected of a boot; each may be open to a policy, or not. */
export type BootPolicyCheckName = 'pcrs' | 'secure_boot' | 'uki' | 'command_line'

type Rule = (boot: BootToCheck) => CheckResult

const checkRegister = (pcr: number, { quoted, registers, policy }: BootToCheck): void => {
  if (!quoted.includes(pcr)) throw new AttestationError('pcr_not_quoted', `PCR ${pcr}`)
  const expected = policy.pcrs[String(pcr)]
  if (expected === undefined || 'any' in expected) return
  demand(meets(expected, registers[pcr] ?? new Uint8Array()), 'pcr_mismatch', `PCR ${pcr}`)
}

const checkRegisters: Rule = (boot) => {
  for (const pcr of [...REGISTERS_OF_FACTS, ...Object.keys(boot.policy.pcrs).map(Number)])
    checkRegister(pcr, boot)
  return 'passed'
}

const checkSecureBoot: Rule = ({ facts, policy }) => {
  if (policy.secure_boot !== 'required') return 'any'
  demand(facts.secureBoot, 'secure_boot_off', 'Secure Boot was off')
  return 'passed'
}

const checkUki: Rule = ({ facts, policy }) => {
  const [first, ...others] = facts.applications
  demand(first !== undefined && meets(policy.uki, first), 'uki_mismatch', 'another image was booted')
  for (const other of others) {
    const known = policy.inner_kernels.some((text) => isHexOf(text, other)) || meets(policy.uki, other)
    demand(known, 'uki_mismatch', 'another program was started after the image')
  }
  return 'passed'
}

const checkCommandLine: Rule = ({ facts, policy }) => {
  const { commandLines } = facts
  demand(commandLines.length > 0, 'command_line_mismatch', 'no command line is measured')
  const known = (digest: Uint8Array, expected: Expectation): boolean => meets(expected, digest)
  demand(
    commandLines.every((digest) => known(digest, policy.command_line)),
    'command_line_mismatch',
    'another command line',
  )
  return 'passed'
}

/** One step for each thing that a policy expects of a boot. Each throws an AttestationError of class not_expected. */
export const BOOT_RULES: Readonly<Record<BootPolicyCheckName, Rule>> = {
  pcrs: checkRegisters,
  secure_boot: checkSecureBoot,
  uki: checkUki,
  command_line: checkCommandLine,
}
