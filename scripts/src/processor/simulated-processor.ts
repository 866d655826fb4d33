import { randomBytes } from 'node:crypto'
import type { Collector, ProductLine, SigningKey } from '@parley/attestation'
import { authorityKeys, makeLeafKey } from './authority-keys.js'
import { simulatedDeriveKey } from './derived-key.js'
import { encodeReport, type ReportFields } from './encode-report.js'
import type { LeafSubject } from './leaf-extensions.js'
import { PROFILES } from './product-profile.js'
import { signReport } from './sign-report.js'
import { createSimulatedVendor, type SimulatedVendor } from './simulated-vendor.js'

/** What a simulated chip is, and what runs on it. */
export type ProcessorOptions = {
  readonly product: ProductLine
  /** From when its certificates count, give or take a day. */
  readonly now: Date | number
  /** MEASUREMENT of the guest, 48 bytes. */
  readonly measurement: Uint8Array
  /** 2 to 5; by default what the product line's firmware of 2025 writes. */
  readonly reportVersion?: number
  readonly signingKey?: SigningKey
  /** POLICY; by default SMT allowed and nothing else. */
  readonly guestPolicy?: bigint
  /** What its keys are derived from, 32 bytes; by default of this chip alone. The same for the same chip after a reset. */
  readonly chipSecret?: Uint8Array
  /** Its TCB, 8 bytes; by default the product line's. */
  readonly tcb?: Uint8Array
  /** Who certifies the chip; by default a vendor of its own, under the keys of this process. */
  readonly vendor?: SimulatedVendor
}

/** A simulated chip with one guest. */
export type SimulatedProcessor = {
  /** The root that its evidence ends at: trusted by nobody, unless passed in as an extra root. DER. */
  readonly rootCertificate: Uint8Array
  /** Leaf, intermediate, root; DER. */
  readonly certificates: readonly Uint8Array[]
  readonly collector: Collector
  /** A signed report; `changes` is what it says differently. 1184 bytes. */
  readonly attest: (changes: Partial<ReportFields>) => Uint8Array
  /** Signs whatever it is given, 672 bytes: for reports that no firmware would write. */
  readonly sign: (body: Uint8Array) => Uint8Array
  /** For leaves that no vendor would issue. */
  readonly vendor: SimulatedVendor
  readonly leafSubject: LeafSubject
  readonly leafSpki: Uint8Array
}

const SMT_ALLOWED = 0x30000n
const VLEK_SIGNED = 0x4
const CHIP_ID_BYTES = 64
const REPORT_DATA_BYTES = 64
const CHIP_SECRET_BYTES = 32

const bytes = (size: number): Uint8Array => new Uint8Array(randomBytes(size))

const defaultFields = (options: ProcessorOptions, { hwID, kind, tcb }: LeafSubject): ReportFields => {
  const profile = PROFILES[options.product]
  const chipId = new Uint8Array(CHIP_ID_BYTES)
  // Where a provider's key signs, it masks the chip.
  if (kind === 'vcek') chipId.set(hwID)
  return {
    version: options.reportVersion ?? profile.reportVersion,
    guestSvn: 0,
    policy: options.guestPolicy ?? SMT_ALLOWED,
    familyId: new Uint8Array(16),
    imageId: new Uint8Array(16),
    vmpl: 0,
    signatureAlgo: 1,
    currentTcb: tcb,
    // SMT, ECC, alias check complete.
    platformInfo: 0x25n,
    signerInfo: kind === 'vlek' ? VLEK_SIGNED : 0,
    reportData: new Uint8Array(REPORT_DATA_BYTES),
    measurement: options.measurement,
    hostData: new Uint8Array(32),
    idKeyDigest: new Uint8Array(48),
    authorKeyDigest: new Uint8Array(48),
    reportId: bytes(32),
    reportIdMa: new Uint8Array(32).fill(0xff),
    reportedTcb: tcb,
    cpuid: profile.cpuid,
    chipId,
    committedTcb: tcb,
    currentVersion: [40, 55, 1],
    committedVersion: [40, 55, 1],
    launchTcb: tcb,
    launchMitVector: 0x3n,
    currentMitVector: 0x3n,
  }
}

const ownVendor = async ({ product, now }: ProcessorOptions): Promise<SimulatedVendor> =>
  createSimulatedVendor({ product, keys: await authorityKeys(), nowMs: new Date(now).getTime() })

/**
 * Makes a chip that signs reports as hardware does, under a root of its own. What it attests is nothing but a
 * simulation, and every verifier that accepts it says so.
 */
export const createSimulatedProcessor = async (options: ProcessorOptions): Promise<SimulatedProcessor> => {
  const { product, signingKey: kind = 'vcek' } = options
  const { hwIdBytes } = PROFILES[product]
  const tcb = options.tcb ?? PROFILES[product].tcb
  const vendor = options.vendor ?? (await ownVendor(options))
  const leafKey = await makeLeafKey()
  const leafSubject = { product, kind, tcb, hwID: bytes(hwIdBytes), cspID: 'CN=simulated.invalid' }
  const certificates = [vendor.issueLeaf(leafSubject, leafKey.spki), vendor.intermediates[kind], vendor.root]
  const fields = defaultFields(options, leafSubject)
  const sign = (body: Uint8Array): Uint8Array => signReport(body, leafKey.privateKey)
  const attest = (changes: Partial<ReportFields>): Uint8Array => sign(encodeReport({ ...fields, ...changes }))
  return {
    rootCertificate: vendor.root,
    certificates,
    collector: {
      platform: 'sev-snp',
      collect: (reportData) => Promise.resolve({ report: attest({ reportData }), certificates, table: [] }),
      deriveKey: simulatedDeriveKey(options.chipSecret ?? bytes(CHIP_SECRET_BYTES), fields),
    },
    attest,
    sign,
    vendor,
    leafSubject,
    leafSpki: leafKey.spki,
  }
}
