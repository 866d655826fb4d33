import {
  type ExtraRoot,
  type Instant,
  judgeGenuine,
  type ProductLine,
  type ReportView,
} from '@parley/attestation'
import {
  type Evidence,
  type Hardware,
  parseBundle,
  parseCanonicalJson,
  parseEvidence,
  ProtocolError,
  sha256,
  toHex,
} from '@parley/protocol'
import { hardwareEvidence } from '../hardware-evidence.js'
import { toSeconds } from '../to-seconds.js'
import type { Verdict } from '../verdict.js'

/** A file, the verdict on it, and the terms of that verdict. */
export type JudgedFile = {
  /** The evidence document or bundle, as it was judged. */
  readonly bytes: Uint8Array
  /** Of the procedure `evidence` or `bundle`. */
  readonly verdict: Verdict
  /** `hash` of the policy's JSON. */
  readonly policyDigest: string
  readonly roots: readonly ExtraRoot[]
  readonly now: Instant
}

/** A report that was found genuine. */
export type JudgedHardware = {
  readonly product: ProductLine
  /** ATTESTATION_REPORT, 1184 bytes. */
  readonly report: Uint8Array
  readonly view: ReportView
}

/** What every result for others is made of. */
export type Judged = {
  readonly verdict: Verdict
  /** SHA-256 of the file, hex. */
  readonly fileDigest: string
  readonly policyDigest: string
  /** When it was judged, in Unix seconds. */
  readonly at: number
  /** Null where the file could not be read. */
  readonly evidence: Evidence | null
  /** The nonces of those who asked, base64url. */
  readonly nonces: readonly string[]
  /** Null where there is none, or none that is genuine. */
  readonly hardware: JudgedHardware | null
}

/**
 * Reads a judged file again for what a verdict leaves out. Never throws on a bad file: what can't be read is null.
 * @throws AttestationError `argument_invalid` where `now` or a root is unusable
 */
export const readJudged = async (file: JudgedFile): Promise<Judged> => {
  const { bytes, verdict, policyDigest, now } = file
  const { evidence, nonces } = read(bytes, verdict)
  return {
    verdict,
    fileDigest: toHex(sha256(bytes)),
    policyDigest,
    at: toSeconds(now),
    evidence,
    nonces,
    hardware: await readHardware(evidence?.binding.hardware ?? null, file),
  }
}

type Read = Pick<Judged, 'evidence' | 'nonces'>

const read = (bytes: Uint8Array, { procedure }: Verdict): Read => {
  try {
    const json = parseCanonicalJson(bytes)
    return procedure === 'bundle' ? ofBundle(parseBundle(json)) : ofEvidence(parseEvidence(json))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { evidence: null, nonces: [] }
  }
}

const ofEvidence = (evidence: Evidence): Read => ({
  evidence,
  nonces: evidence.nonce === null ? [] : [evidence.nonce],
})

const ofBundle = ({ evidence, offer }: ReturnType<typeof parseBundle>): Read => ({
  evidence,
  nonces: offer === null ? [] : offer.participants.map(({ nonce }) => nonce),
})

const readHardware = async (
  hardware: Hardware | null,
  { verdict, roots, now }: JudgedFile,
): Promise<JudgedHardware | null> => {
  const genuine = verdict.checks.some(
    ({ name, result }) => name === 'hardware_genuine' && result === 'passed',
  )
  if (hardware === null || !genuine) return null
  const { report, certificates } = hardwareEvidence(hardware)
  const judged = await judgeGenuine({ report, certificates, roots, now })
  return judged.report === null || judged.product === null
    ? null
    : { product: judged.product, report, view: judged.report }
}
