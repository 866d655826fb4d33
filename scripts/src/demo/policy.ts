import type { JsonObject } from '@parley/protocol'

/** MEASUREMENT of the demo's guest: nothing was measured, the simulated processor just says so. 48 octets, hex. */
export const DEMO_MEASUREMENT = 'd3'.repeat(48)

const any = (reason: string): JsonObject => ({ any: reason })
const UNUSED = 'not set by this deployment'

const MILAN: JsonObject = {
  products: ['Milan'],
  signing_keys: ['vcek'],
  measurement: { equals: DEMO_MEASUREMENT },
  launch_covers: 'app',
  guest_policy: {
    abi_minimum: { major: 0, minor: 0 },
    smt: 'allow',
    migrate_ma: 'forbid',
    debug: 'forbid',
    single_socket: 'any',
    cxl: 'forbid',
    aes_256_xts: 'any',
    rapl_disabled: 'any',
    ciphertext_hiding: 'any',
    page_swap_disabled: 'any',
  },
  tcb_minimum: { Milan: { bootloader: 3, tee: 0, snp: 8, microcode: 100 } },
  committed_equals_current: 'require',
  vmpl: [0],
  platform_info: {
    smt_enabled: 'any',
    tsme_enabled: 'any',
    ecc_enabled: 'any',
    rapl_disabled: 'any',
    ciphertext_hiding_enabled: 'any',
    alias_check_complete: 'require',
    tio_enabled: 'forbid',
    unknown_bits: 'forbid',
  },
  chip_id: any('any chip will do in the demo'),
  masked_chip_id: 'refuse',
  host_data: any(UNUSED),
  family_id: any(UNUSED),
  image_id: any(UNUSED),
  id_key_digest: any(UNUSED),
  author_key_digest: any(UNUSED),
  waive: [],
}

/** What a demo participant expects of the relay: everything that this build determines. */
export function demoPolicy(expected: {
  readonly lane: 'confidential' | 'software'
  readonly version: string
  readonly policyBundleHash: string
  readonly profileHash: string
  /** Pinned in the software lane, where nothing else vouches for it. */
  readonly receiptKey: string
}): JsonObject {
  const confidential = expected.lane === 'confidential'
  return {
    version: 'parley-policy-v1',
    minimum_assurance: confidential ? 'TEE_ATTESTED' : 'SELF_ASSERTED',
    accept_simulated: confidential,
    hardware: confidential ? MILAN : null,
    relay: {
      version: { equals: expected.version },
      image_digest: { equals: null },
      policy_bundle_hash: { equals: expected.policyBundleHash },
      profile_hash: { equals: expected.profileHash },
      receipt_key: confidential ? any('attested by the report') : { equals: expected.receiptKey },
    },
    waive: [],
  }
}
