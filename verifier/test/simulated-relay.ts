import type { ExtraRoot, ProductLine } from '@parley/attestation'
import { type Bundle, type JsonObject, toBase64url, toHex } from '@parley/protocol'
import { createSimulatedProcessor, type SimulatedProcessor } from '@parley/scripts'
import { type Lies, mintBundle, NOW, policyFor, type Reporter } from './minted-bundle.js'

const MEASUREMENT = Uint8Array.from({ length: 48 }, (_, at) => at)

/** A relay of the confidential lane on a simulated chip: the anchor is fake, everything above it is real. */
export type SimulatedRelay = {
  readonly processor: SimulatedProcessor
  readonly reporter: NonNullable<Reporter>
  readonly roots: readonly ExtraRoot[]
  /** Expects this measurement, TEE_ATTESTED, and leaves simulation be. */
  readonly policy: JsonObject
  readonly mint: (lies?: Lies) => Promise<Bundle>
}

/** Starts a simulated chip and what the minted relay needs of it. */
export const simulateRelay = async (product: ProductLine = 'Milan'): Promise<SimulatedRelay> => {
  const processor = await createSimulatedProcessor({ product, now: NOW, measurement: MEASUREMENT })
  const reporter = reporterOf(processor)
  return {
    processor,
    reporter,
    roots: [{ certificate: processor.rootCertificate, simulated: true }],
    policy: {
      ...policyFor('confidential'),
      minimum_assurance: 'TEE_ATTESTED',
      accept_simulated: true,
      hardware: hardwarePolicy(toHex(MEASUREMENT)),
    },
    mint: (lies = {}) => mintBundle('confidential', reporter, lies),
  }
}

const reporterOf =
  ({ attest, certificates }: SimulatedProcessor): NonNullable<Reporter> =>
  (reportData) => {
    const [leaf, intermediate, root] = certificates.map(toBase64url)
    return Promise.resolve({
      report: toBase64url(attest({ reportData })),
      leaf_certificate: leaf ?? '',
      intermediate_certificate: intermediate ?? '',
      root_certificate: root ?? '',
      crl: null,
      firmware_endorsement: null,
      boot_evidence: null,
    })
  }

/** An appraisal policy that expects one measurement and leaves every identity open. */
export const hardwarePolicy = (measurement: string): JsonObject => ({
  products: ['Milan', 'Genoa', 'Turin'],
  signing_keys: ['vcek'],
  measurement: { equals: measurement },
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
    Milan: { bootloader: 0, tee: 0, snp: 0, microcode: 0 },
    Genoa: { bootloader: 0, tee: 0, snp: 0, microcode: 0 },
    Turin: { fmc: 0, bootloader: 0, tee: 0, snp: 0, microcode: 0 },
  },
  committed_equals_current: 'any',
  vmpl: [0],
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
  chip_id: { any: 'relays move between machines' },
  masked_chip_id: 'refuse',
  host_data: { any: 'the host may write here what it likes' },
  family_id: { any: 'not used' },
  image_id: { any: 'not used' },
  id_key_digest: { any: 'no ID block' },
  author_key_digest: { any: 'no ID block' },
  waive: [],
})
