import type { ExtraRoot, ProductLine } from '@parley/attestation'
import { type Bundle, type JsonObject, toBase64url, toHex } from '@parley/protocol'
import { createSimulatedProcessor, examplePolicy, type SimulatedProcessor } from '@parley/scripts'
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

const NO_FLOORS = { bootloader: 0, tee: 0, snp: 0, microcode: 0 }
const NO_VERSION = { major: 0, minor: 0, build: 0 }

/** The published example, with one measurement and no floors. */
export const hardwarePolicy = (measurement: string): JsonObject => ({
  ...examplePolicy(),
  products: ['Milan', 'Genoa', 'Turin'],
  measurement: { equals: measurement },
  tcb_minimum: { Milan: NO_FLOORS, Genoa: NO_FLOORS, Turin: { ...NO_FLOORS, fmc: 0 } },
  tcb_floor_list: { any: 'no list has floors for Turin' },
  current_version_minimum: { Milan: NO_VERSION, Genoa: NO_VERSION, Turin: NO_VERSION },
})
