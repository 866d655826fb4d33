import type { Check, Trustee } from '../checks.js'
import type { Reasoned } from '../policy/appraisal-policy.js'
import type { BootFacts } from './boot-facts.js'
import type { BootPolicy } from './boot-policy.js'
import type { BootPolicyCheckName } from './check-boot-policy.js'

/** What a machine with a TPM hands over about its boot. No part is believed: all are bytes from a stranger. */
export type BootEvidence = {
  /** TPMT_PUBLIC of the attestation key. */
  readonly akPublic: Uint8Array
  /** Its certificate and those of its issuers, in order, without the root; DER. */
  readonly akCertificates: readonly Uint8Array[]
  /** TPMS_ATTEST */
  readonly quote: Uint8Array
  /** TPMT_SIGNATURE */
  readonly signature: Uint8Array
  /** The crypto-agile event log of firmware. */
  readonly eventLog: Uint8Array
}

/** What somebody expects of it. */
export type ExpectedBoot = {
  /** Lower-case hex, SHA-256 of the name of the attestation key: `boot_ak` of the keyset. */
  readonly keyDigest: string
  /** What the TPM must have been asked to attest beside its registers, as the caller computed it. */
  readonly qualifyingData: Uint8Array
  /** Null where nothing is expected of the boot: it must be genuine then, and bears out nothing. */
  readonly policy: BootPolicy | null
}

/** The steps of the appraisal, in order. */
export type BootCheckName =
  | 'boot_format'
  | 'boot_key'
  | 'boot_quote'
  | 'boot_qualifying_data'
  | 'boot_log'
  | 'boot_root'
  | 'boot_events'
  | `boot_${BootPolicyCheckName}`

const GENUINE = [
  'boot_format',
  'boot_key',
  'boot_quote',
  'boot_qualifying_data',
  'boot_log',
  'boot_root',
] as const satisfies readonly BootCheckName[]

/** The steps that say whether the evidence is genuine; the others say whether it is what was expected. */
export const GENUINE_BOOT_CHECKS: readonly string[] = GENUINE

/** What became of the evidence. */
export type BootAppraisal = {
  readonly checks: readonly Check<BootCheckName>[]
  /** Whose root certifies the key; `nobody` where none does, or none was passed in. */
  readonly root: Trustee
  /** What was booted; null where the evidence does not get so far. */
  readonly facts: BootFacts | null
  /** What the policy leaves open. */
  readonly anys: readonly Reasoned[]
}

/** What a policy expects, in order. */
export const EXPECTED_OF_BOOT = [
  'pcrs',
  'secure_boot',
  'uki',
  'command_line',
] as const satisfies readonly BootPolicyCheckName[]

/** All steps, in order. */
export const BOOT_CHECKS: readonly BootCheckName[] = [
  ...GENUINE,
  'boot_events',
  ...EXPECTED_OF_BOOT.map((name) => `boot_${name}` as const),
]
