import { type AppraisalPolicy, parseAppraisalPolicy } from '../src/index.js'
import { toHex } from '../src/hex.js'

const MEASUREMENT = toHex(Uint8Array.from({ length: 48 }, (_, at) => at + 1))

/** REPORT_DATA of the vectors. */
export const REPORT_DATA = Uint8Array.from({ length: 64 }, (_, at) => 0x80 + at)

const zeros = (bytes: number): { equals: string } => ({ equals: '00'.repeat(bytes) })

/** A policy as a file holds it: it takes every genuine Milan, Genoa and Turin vector that has nothing odd. */
export const policyJson = (): Record<string, unknown> => ({
  products: ['Milan', 'Genoa', 'Turin'],
  signing_keys: ['vcek', 'vlek'],
  measurement: { equals: MEASUREMENT },
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
  tcb_minimum: {
    Milan: { bootloader: 4, tee: 0, snp: 24, microcode: 219 },
    Genoa: { bootloader: 10, tee: 0, snp: 25, microcode: 84 },
    Turin: { fmc: 1, bootloader: 1, tee: 1, snp: 4, microcode: 81 },
  },
  committed_equals_current: 'require',
  vmpl: [0],
  platform_info: {
    smt_enabled: 'any',
    tsme_enabled: 'any',
    ecc_enabled: 'require',
    rapl_disabled: 'any',
    ciphertext_hiding_enabled: 'any',
    alias_check_complete: 'require',
    tio_enabled: 'forbid',
    unknown_bits: 'forbid',
  },
  chip_id: { any: 'whichever machine the provider chose' },
  masked_chip_id: 'refuse',
  host_data: zeros(32),
  family_id: zeros(16),
  image_id: zeros(16),
  id_key_digest: zeros(48),
  author_key_digest: zeros(48),
  waive: [],
})

/** The same, read, with other members. */
export const policyWith = (changes: Record<string, unknown> = {}): AppraisalPolicy =>
  parseAppraisalPolicy({ ...policyJson(), ...changes })

/** The same without a member. */
export const policyJsonWithout = (member: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(policyJson()).filter(([name]) => name !== member))
