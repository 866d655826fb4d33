import { readFileSync } from 'node:fs'
import { type AppraisalPolicy, parseAppraisalPolicy } from '../src/index.js'
import { toHex } from '../src/hex.js'

const MEASUREMENT = toHex(Uint8Array.from({ length: 48 }, (_, at) => at + 1))

/** REPORT_DATA of the vectors. */
export const REPORT_DATA = Uint8Array.from({ length: 64 }, (_, at) => 0x80 + at)

const zeros = (bytes: number): { equals: string } => ({ equals: '00'.repeat(bytes) })

type PolicyJson = Record<string, unknown> & {
  guest_policy: Record<string, unknown>
  platform_info: Record<string, unknown>
}

/** The complete example that this room publishes. */
export const examplePolicy = (): PolicyJson =>
  JSON.parse(
    readFileSync(new URL('../examples/appraisal-policy.json', import.meta.url), 'utf8'),
  ) as PolicyJson

const FLOORS = {
  Milan: { bootloader: 4, tee: 0, snp: 24, microcode: 219 },
  Genoa: { bootloader: 10, tee: 0, snp: 25, microcode: 84 },
  Turin: { fmc: 1, bootloader: 1, tee: 1, snp: 4, microcode: 81 },
}

const version = { major: 1, minor: 55, build: 40 }
const VERSIONS = { Milan: version, Genoa: version, Turin: version }

/** The example, for the vectors: it takes every genuine Milan, Genoa and Turin one that has nothing odd. */
export const policyJson = (): PolicyJson => {
  const example = examplePolicy()
  return {
    ...example,
    products: ['Milan', 'Genoa', 'Turin'],
    signing_keys: ['vcek', 'vlek'],
    csp_id: { equals: 'CN=simulated.invalid' },
    measurement: { equals: MEASUREMENT },
    tcb_minimum: FLOORS,
    tcb_floor_list: { any: 'no list has floors for Turin' },
    current_version_minimum: VERSIONS,
    committed_equals_current: 'require',
    platform_info: {
      ...example.platform_info,
      ecc_enabled: 'require',
      tio_enabled: 'forbid',
      unknown_bits: 'forbid',
    },
    host_data: zeros(32),
    family_id: zeros(16),
    image_id: zeros(16),
    report_id_ma: { equals: 'ff'.repeat(32) },
    id_key_digest: zeros(48),
    author_key_digest: zeros(48),
    leaf_age: { max_days: 365 },
    crl: { use: 'not_used', any: 'the vectors have none' },
  }
}

/** The same, read, with other members. */
export const policyWith = (changes: Record<string, unknown> = {}): AppraisalPolicy =>
  parseAppraisalPolicy({ ...policyJson(), ...changes })

/** The same without a member. */
export const policyJsonWithout = (member: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(policyJson()).filter(([name]) => name !== member))
