import * as v from 'valibot'
import { expectation, identityExpectation, REASON } from './expectation.js'

/** The checks that a policy can waive by name. A waived member may be absent; every other one must be there. */
export const WAIVABLE = [
  'measurement',
  'guest_policy',
  'debug',
  'tcb_minimum',
  'vmpl',
  'platform_info',
] as const

const byte = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))
const permission = v.picklist(['allow', 'forbid'])
const restriction = v.picklist(['require', 'any'])
const platformBit = v.picklist(['require', 'forbid', 'any'])

const oneOrMore = <T extends string>(values: readonly [T, ...T[]]) =>
  v.pipe(v.array(v.picklist(values)), v.minLength(1), v.maxLength(values.length))

const upToGenoa = v.strictObject({ bootloader: byte, tee: byte, snp: byte, microcode: byte })
const fromTurin = v.strictObject({ fmc: byte, bootloader: byte, tee: byte, snp: byte, microcode: byte })

// A permission weakens the guest where it is set, a restriction strengthens it.
const guestPolicy = v.strictObject({
  abi_minimum: v.strictObject({ major: byte, minor: byte }),
  smt: permission,
  migrate_ma: permission,
  // The host reads the memory of a guest that may be debugged: to go without this is a waiver.
  debug: v.literal('forbid'),
  single_socket: restriction,
  cxl: permission,
  aes_256_xts: restriction,
  rapl_disabled: restriction,
  ciphertext_hiding: restriction,
  page_swap_disabled: restriction,
})

const platformInfo = v.strictObject({
  smt_enabled: platformBit,
  tsme_enabled: platformBit,
  ecc_enabled: platformBit,
  rapl_disabled: platformBit,
  ciphertext_hiding_enabled: platformBit,
  alias_check_complete: platformBit,
  tio_enabled: platformBit,
  unknown_bits: v.picklist(['forbid', 'any']),
})

/** The form of an appraisal policy. What is `optional` here is optional only to the parser: see WAIVABLE. */
export const POLICY_SCHEMA = v.strictObject({
  products: oneOrMore(['Milan', 'Genoa', 'Turin']),
  signing_keys: oneOrMore(['vcek', 'vlek']),
  measurement: v.optional(expectation(48)),
  launch_covers: v.picklist(['app', 'firmware']),
  guest_policy: v.optional(guestPolicy),
  tcb_minimum: v.optional(
    v.strictObject({
      Milan: v.optional(upToGenoa),
      Genoa: v.optional(upToGenoa),
      Turin: v.optional(fromTurin),
    }),
  ),
  committed_equals_current: restriction,
  vmpl: v.optional(v.pipe(v.array(v.picklist([0, 1, 2, 3])), v.minLength(1), v.maxLength(4))),
  platform_info: v.optional(platformInfo),
  chip_id: identityExpectation(64),
  masked_chip_id: v.picklist(['refuse', 'allow']),
  host_data: identityExpectation(32),
  family_id: identityExpectation(16),
  image_id: identityExpectation(16),
  id_key_digest: identityExpectation(48),
  author_key_digest: identityExpectation(48),
  waive: v.pipe(
    v.array(v.strictObject({ check: v.picklist(WAIVABLE), reason: REASON })),
    v.maxLength(WAIVABLE.length),
  ),
})
