import * as v from 'valibot'
import { expectation, hex, identityExpectation, nameExpectation, open, REASON } from './expectation.js'
import { keyExpectation } from './key-expectation.js'
import { TCB_FLOOR_LISTS } from './tcb-floor-list.js'

/** The checks that a policy can waive by name. A waived member may be absent; every other one must be there. */
export const WAIVABLE = [
  'measurement',
  'guest_policy',
  'debug',
  'tcb_minimum',
  'vmpl',
  'platform_info',
] as const

const MOST_DAYS = 36_500
const MOST_DENIED = 256

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))

const byte = whole(0, 255)
const word = v.pipe(v.string(), v.regex(/^0x(?:0|[1-9a-f][0-9a-f]{0,15})$/))
const permission = v.picklist(['allow', 'forbid'])
const restriction = v.picklist(['require', 'any'])
const platformBit = v.picklist(['require', 'forbid', 'any'])

const oneOrMore = <T extends string>(values: readonly [T, ...T[]]) =>
  v.pipe(v.array(v.picklist(values)), v.minLength(1), v.maxLength(values.length))

const upToGenoa = v.strictObject({ bootloader: byte, tee: byte, snp: byte, microcode: byte })
const fromTurin = v.strictObject({ fmc: byte, bootloader: byte, tee: byte, snp: byte, microcode: byte })
const version = v.strictObject({ major: byte, minor: byte, build: byte })

// One for each product line that is expected: see PER_PRODUCT.
const tcbFloors = v.strictObject({
  Milan: v.optional(upToGenoa),
  Genoa: v.optional(upToGenoa),
  Turin: v.optional(fromTurin),
})
const versionFloors = v.strictObject({
  Milan: v.optional(version),
  Genoa: v.optional(version),
  Turin: v.optional(version),
})

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
  // Bits without a name here: none of them, whichever, or those of a mask.
  unknown_bits: v.union([v.picklist(['forbid', 'any']), v.strictObject({ allow: word })]),
})

const tcbOrder = v.strictObject({
  reported_within_committed: restriction,
  committed_within_current: restriction,
  launch_within_current: restriction,
})

const days = whole(0, MOST_DAYS)

const crl = v.variant('use', [
  v.strictObject({ use: v.literal('required'), max_age_days: days }),
  v.strictObject({ use: v.literal('if_present'), max_age_days: days, any: REASON }),
  v.strictObject({ use: v.literal('not_used'), any: REASON }),
])

// SNP_LAUNCH_FINISH's ID block, 96 bytes, and ID authentication information, 4096 bytes, in canonical base64.
const idBlock = v.strictObject({
  block: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{128}$/)),
  auth: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{5461}[AQgw]==$/)),
})

const floorList = v.strictObject({ sha256: v.picklist(TCB_FLOOR_LISTS.map(({ sha256 }) => sha256)) })

/** The members that hold something for each product line that is expected, unless they are waived or left open. */
export const PER_PRODUCT = [
  'tcb_minimum',
  'committed_tcb_minimum',
  'current_tcb_minimum',
  'launch_tcb_minimum',
  'current_version_minimum',
  'committed_version_minimum',
] as const

/** The form of an appraisal policy. What is `optional` here is optional only to the parser: see WAIVABLE, PER_PRODUCT. */
export const POLICY_SCHEMA = v.strictObject({
  products: oneOrMore(['Milan', 'Genoa', 'Turin']),
  report_versions: v.strictObject({ minimum: whole(2, 5), maximum: whole(2, 5) }),
  signing_keys: oneOrMore(['vcek', 'vlek']),
  csp_id: nameExpectation,
  measurement: v.optional(expectation(48)),
  launch_covers: v.picklist(['app', 'firmware']),
  guest_policy: v.optional(guestPolicy),
  guest_svn_minimum: whole(0, 0xffffffff),
  tcb_minimum: v.optional(tcbFloors),
  committed_tcb_minimum: v.union([open, tcbFloors]),
  current_tcb_minimum: v.union([open, tcbFloors]),
  launch_tcb_minimum: v.union([open, tcbFloors]),
  tcb_order: tcbOrder,
  tcb_floor_list: v.union([open, floorList]),
  current_version_minimum: v.union([open, versionFloors]),
  committed_version_minimum: v.union([open, versionFloors]),
  committed_equals_current: restriction,
  mitigations: v.union([open, v.strictObject({ launch: word, current: word })]),
  vmpl: v.optional(v.pipe(v.array(v.picklist([0, 1, 2, 3])), v.minLength(1), v.maxLength(4))),
  platform_info: v.optional(platformInfo),
  chip_id: identityExpectation(64),
  chip_id_denied: v.pipe(v.array(hex(64)), v.maxLength(MOST_DENIED)),
  masked_chip_id: v.picklist(['refuse', 'allow']),
  host_data: identityExpectation(32),
  family_id: identityExpectation(16),
  image_id: identityExpectation(16),
  report_id: identityExpectation(32),
  report_id_ma: identityExpectation(32),
  id_key_digest: keyExpectation,
  author_key_digest: keyExpectation,
  id_block: v.union([open, idBlock]),
  leaf_age: v.union([open, v.strictObject({ max_days: days })]),
  leaf_grace_days: v.strictObject({ vcek: days, vlek: days }),
  crl,
  waive: v.pipe(
    v.array(v.strictObject({ check: v.picklist(WAIVABLE), reason: REASON })),
    v.maxLength(WAIVABLE.length),
  ),
})
