import type { AttestationErrorCode, ProductLine, SigningKey } from '@parley/attestation'
import {
  type CertificateSpec,
  createSimulatedProcessor,
  createSimulatedVendor,
  type LeafSubject,
  makeAuthorityKeys,
  type NameSpec,
  type Organisation,
  type ReportFields,
  SIMULATED_ORGANISATION,
  type SimulatedProcessor,
  type SimulatedVendor,
} from '../processor/index.js'
import type { Files, Vector } from './vector.js'

/** The time at which all vectors are judged, unless one says otherwise. */
export const NOW_MS = Date.UTC(2026, 0, 15)

export const DAY_MS = 86_400_000

/** The chips that the vectors come from. */
export type Kit = {
  readonly milan: SimulatedProcessor
  readonly milanVlek: SimulatedProcessor
  readonly genoa: SimulatedProcessor
  readonly turin: SimulatedProcessor
  readonly turinVlek: SimulatedProcessor
  /** A stranger's chip, certified under AMD's own names. */
  readonly forger: SimulatedProcessor
  /** A stranger's chip, certified under the names of `milan`'s vendor. */
  readonly imposter: SimulatedProcessor
}

const MEASUREMENT = Uint8Array.from({ length: 48 }, (_, at) => at + 1)

/** REPORT_DATA of every vector. */
export const REPORT_DATA = Uint8Array.from({ length: 64 }, (_, at) => 0x80 + at)

const AMD: Organisation = [
  ['2.5.4.11', 'Engineering'],
  ['2.5.4.6', 'US'],
  ['2.5.4.7', 'Santa Clara'],
  ['2.5.4.8', 'CA'],
  ['2.5.4.10', 'Advanced Micro Devices'],
]

/** A name of the vectors' own vendors. */
export const simulatedName = (commonName: string): NameSpec => ({
  organisation: SIMULATED_ORGANISATION,
  commonName,
})

const chip = (
  product: ProductLine,
  signingKey: SigningKey,
  vendor?: SimulatedVendor,
): Promise<SimulatedProcessor> =>
  createSimulatedProcessor({
    product,
    signingKey,
    now: NOW_MS,
    measurement: MEASUREMENT,
    ...(vendor === undefined ? {} : { vendor }),
  })

export const makeKit = async (): Promise<Kit> => {
  const stranger = { product: 'Milan', keys: await makeAuthorityKeys(), nowMs: NOW_MS } as const
  return {
    milan: await chip('Milan', 'vcek'),
    milanVlek: await chip('Milan', 'vlek'),
    genoa: await chip('Genoa', 'vcek'),
    turin: await chip('Turin', 'vcek'),
    turinVlek: await chip('Turin', 'vlek'),
    forger: await chip('Milan', 'vcek', createSimulatedVendor({ ...stranger, organisation: AMD })),
    imposter: await chip('Milan', 'vcek', createSimulatedVendor(stranger)),
  }
}

/** The certificates of a chip. */
export const chainOf = ({
  leafSubject,
  certificates: [leaf, intermediate, root],
}: SimulatedProcessor): Files =>
  leaf === undefined || intermediate === undefined || root === undefined
    ? {}
    : {
        [`${leafSubject.kind}.der`]: leaf,
        [leafSubject.kind === 'vcek' ? 'ask.der' : 'asvk.der']: intermediate,
        'ark.der': root,
      }

/** A report of a chip, saying something differently, with its chain. */
export const evidence = (chip: SimulatedProcessor, changes: Partial<ReportFields> = {}): Files => ({
  'report.bin': chip.attest({ reportData: REPORT_DATA, ...changes }),
  ...chainOf(chip),
})

/** The same, with a leaf that differs from what the vendor would issue for the chip. */
export const withLeaf = (
  chip: SimulatedProcessor,
  subject: Partial<LeafSubject>,
  changes: Partial<CertificateSpec> = {},
): Files => ({
  ...evidence(chip),
  [`${chip.leafSubject.kind}.der`]: chip.vendor.issueLeaf(
    { ...chip.leafSubject, ...subject },
    chip.leafSpki,
    changes,
  ),
})

/** Bytes with others written over them. */
export const patched = (bytes: Uint8Array, at: number, by: ArrayLike<number>): Uint8Array => {
  const copy = new Uint8Array(bytes)
  copy.set(by, at)
  return copy
}

/** Bytes with one bit of one byte turned; from the end where `at` is negative. */
export const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  patched(bytes, at < 0 ? bytes.length + at : at, [(bytes.at(at) ?? 0) ^ 1])

const BODY_BYTES = 672

/** A report whose body no firmware would write, signed all the same, with its chain. */
export const signedAnyway = (
  chip: SimulatedProcessor,
  at: number,
  by: ArrayLike<number>,
  changes: Partial<ReportFields> = {},
): Files => {
  const report = chip.attest({ reportData: REPORT_DATA, ...changes })
  return { 'report.bin': chip.sign(patched(report.subarray(0, BODY_BYTES), at, by)), ...chainOf(chip) }
}

/** Evidence without one of its files. */
export const without = (files: Files, name: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([file]) => file !== name))

const vector = (
  code: AttestationErrorCode | null,
  name: string,
  why: string,
  files: Files,
  changes: Partial<Vector>,
): Vector => ({ name, why, code, files, nowMs: NOW_MS, trustedRoots: ['ark.der'], ...changes })

/** A vector that verifies. */
export const genuine = (name: string, why: string, files: Files, changes: Partial<Vector> = {}): Vector =>
  vector(null, name, why, files, changes)

/** A vector that does not, and why not. */
export const refused = (
  code: AttestationErrorCode,
  name: string,
  why: string,
  files: Files,
  changes: Partial<Vector> = {},
): Vector => vector(code, name, why, files, changes)
