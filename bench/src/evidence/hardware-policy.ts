import type { JsonObject } from '@parley/protocol'

/** An identity that may be anything, with the reason that it takes. */
export const anyIdentity: JsonObject = { any: 'not what is measured here' }

const NO_FLOOR = { bootloader: 0, tee: 0, snp: 0, microcode: 0 }

const POLICY: JsonObject = {
  products: ['Milan', 'Genoa', 'Turin'],
  signing_keys: ['vcek', 'vlek'],
  launch_covers: 'app',
  guest_policy: {
    abi_minimum: { major: 0, minor: 0 },
    smt: 'allow',
    migrate_ma: 'allow',
    debug: 'forbid',
    single_socket: 'any',
    cxl: 'allow',
    aes_256_xts: 'any',
    rapl_disabled: 'any',
    ciphertext_hiding: 'any',
    page_swap_disabled: 'any',
  },
  tcb_minimum: { Milan: NO_FLOOR, Genoa: NO_FLOOR, Turin: { fmc: 0, ...NO_FLOOR } },
  committed_equals_current: 'any',
  vmpl: [0, 1, 2, 3],
  platform_info: {
    smt_enabled: 'any',
    tsme_enabled: 'any',
    ecc_enabled: 'any',
    rapl_disabled: 'any',
    ciphertext_hiding_enabled: 'any',
    alias_check_complete: 'any',
    tio_enabled: 'any',
    unknown_bits: 'any',
  },
  masked_chip_id: 'refuse',
  family_id: anyIdentity,
  image_id: anyIdentity,
  id_key_digest: anyIdentity,
  author_key_digest: anyIdentity,
  waive: [],
}

/** What is expected of hardware: exactly these values, and of all else whatever genuine hardware may say. */
export function hardwarePolicy(
  expected: Readonly<Record<'measurement' | 'chip_id' | 'host_data', Uint8Array | JsonObject>>,
): JsonObject {
  const value = (given: Uint8Array | JsonObject): JsonObject =>
    given instanceof Uint8Array ? { equals: Buffer.from(given).toString('hex') } : given
  return {
    ...POLICY,
    measurement: value(expected.measurement),
    chip_id: value(expected.chip_id),
    host_data: value(expected.host_data),
  }
}
