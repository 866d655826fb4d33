import { readPem } from '../certificate/pem.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError, type AttestationErrorCode } from '../errors.js'
import type { GoldenMeasurement, SevSnpEndorsement } from './golden-measurement.js'
import { type GoogleCertificate, parseGoogleCertificate } from './google-certificate.js'
import { type LaunchEndorsement, parseLaunchEndorsement } from './launch-endorsement.js'
import { verifyRsaPssSha256 } from './rsa-pss-sha256.js'
import { verifyGoogleChain } from './verify-google-chain.js'

/** What an endorsement is appraised against. */
export type EndorsementTerms = {
  /** How many processors the VM has. */
  readonly vcpus: number
  /** The certificate of Google's authority, DER or PEM. Null says that it is not at hand: none is built in. */
  readonly googleRoot: Uint8Array | null
  /** When certificates have to be valid: milliseconds since 1970, UTC. */
  readonly nowMs: number
}

export type EndorsementCheckName = 'certificate' | 'signature' | 'provenance' | 'measurement'

/** One step. All rest on the root that was passed in: where that is missing, two of them are not run. */
export type EndorsementCheck = {
  readonly name: EndorsementCheckName
  readonly result: 'passed' | 'failed' | 'not_run'
  readonly code: AttestationErrorCode | null
}

/** What an endorsement says, and whether Google says it. */
export type EndorsementAppraisal = {
  /** True where every check passed. Without it, nothing below was said by Google. */
  readonly trusted: boolean
  /** The MEASUREMENT of a VM with that many processors (48 bytes), or null where none is endorsed. */
  readonly measurement: Uint8Array | null
  readonly golden: GoldenMeasurement
  /** Fields that this reader does not know, by message and number. */
  readonly unknownFields: readonly string[]
  readonly checks: readonly EndorsementCheck[]
}

const MAX_INTERMEDIATES = 4

// Firmware that was signed before the release process changed may lack its origin; since then it may not.
const PROVENANCE_SINCE_MS = Date.UTC(2024, 7, 2)

const attempt = async (
  name: EndorsementCheckName,
  step: () => void | Promise<void>,
): Promise<EndorsementCheck> => {
  try {
    await step()
    return { name, result: 'passed', code: null }
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    return { name, result: 'failed', code: error.code }
  }
}

const readRoot = (file: Uint8Array): GoogleCertificate => {
  const [der, ...more] = file[0] === 0x30 ? [file] : readPem(file)
  if (der === undefined || more.length > 0) {
    throw new AttestationError('certificate_malformed', 'the root is not one certificate')
  }
  return parseGoogleCertificate(der)
}

/** The bundle is ordered from the root down. It only fills the way to a root that is trusted anyway. */
const readIntermediates = (bundle: Uint8Array, root: GoogleCertificate): readonly GoogleCertificate[] => {
  if (bundle.length === 0) return []
  const found = readPem(bundle).filter((der) => !equalBytes(der, root.der))
  if (found.length > MAX_INTERMEDIATES)
    throw new AttestationError('chain_broken', 'too many certificates in ca_bundle')
  return found.map(parseGoogleCertificate).reverse()
}

const verifyCertificate = async (
  golden: GoldenMeasurement,
  root: GoogleCertificate,
  nowMs: number,
): Promise<void> => {
  const signer = parseGoogleCertificate(golden.certificate)
  await verifyGoogleChain(signer, readIntermediates(golden.caBundle, root), root, nowMs)
}

const verifySignature = async ({ golden, signed, signature }: LaunchEndorsement): Promise<void> => {
  const { spki } = parseGoogleCertificate(golden.certificate)
  if (!(await verifyRsaPssSha256(spki, signed, signature))) {
    throw new AttestationError(
      'endorsement_signature_invalid',
      'the signature is not that of the endorsed certificate',
    )
  }
}

const checkSigned = async (
  endorsement: LaunchEndorsement,
  terms: EndorsementTerms,
): Promise<EndorsementCheck[]> => {
  if (terms.googleRoot === null) {
    const missing = { result: 'not_run', code: 'root_missing' } as const
    return [
      { name: 'certificate', ...missing },
      { name: 'signature', ...missing },
    ]
  }
  const root = readRoot(terms.googleRoot)
  const certificate = await attempt('certificate', () =>
    verifyCertificate(endorsement.golden, root, terms.nowMs),
  )
  // The key is in what it signs: until its certificate holds, a good signature says nothing.
  if (certificate.result !== 'passed')
    return [certificate, { name: 'signature', result: 'not_run', code: certificate.code }]
  return [certificate, await attempt('signature', () => verifySignature(endorsement))]
}

const checkProvenance = ({ timestampMs, clSpec, commit }: GoldenMeasurement): void => {
  if (timestampMs > PROVENANCE_SINCE_MS && clSpec === 0n && commit.length === 0) {
    throw new AttestationError(
      'endorsement_malformed',
      'neither a change number nor a commit says where it came from',
    )
  }
}

// Google sells no confidential VM with one processor: one VMSA is the first processor of an SVSM.
const measurementFor = (
  { measurements, svsmMeasurement }: SevSnpEndorsement,
  vcpus: number,
): Uint8Array | null => (vcpus === 1 ? svsmMeasurement : null) ?? measurements.get(vcpus) ?? null

const checkMeasured = (measurement: Uint8Array | null): void => {
  if (measurement === null) {
    throw new AttestationError('measurement_mismatch', 'nothing is endorsed for this number of vcpus')
  }
}

/**
 * Appraises Google's endorsement of a firmware: certificate under the root that is passed in, signature, origin, and
 * that there is a measurement for the VM. A report then has to show that measurement; POLICY in the endorsement is
 * a maximum, and its FAMILY_ID and IMAGE_ID are not those of a report.
 * @param endorsement serialized VMLaunchEndorsement, up to 1 MiB
 * @throws AttestationError endorsement_malformed; certificate_malformed for the root; measurement_input_malformed
 * @see gce-tcb-verifier, proto/endorsement.proto and verify/verify.go
 */
export const appraiseLaunchEndorsement = async (
  endorsement: Uint8Array,
  terms: EndorsementTerms,
): Promise<EndorsementAppraisal> => {
  if (!Number.isSafeInteger(terms.vcpus) || terms.vcpus < 1) {
    throw new AttestationError('measurement_input_malformed', 'vcpus is not a positive integer')
  }
  const parsed = parseLaunchEndorsement(endorsement)
  const { golden, unknownFields } = parsed
  const measurement = measurementFor(golden.sevSnp, terms.vcpus)
  const checks = [
    ...(await checkSigned(parsed, terms)),
    await attempt('provenance', () => {
      checkProvenance(golden)
    }),
    await attempt('measurement', () => {
      checkMeasured(measurement)
    }),
  ]
  return {
    trusted: checks.every(({ result }) => result === 'passed'),
    measurement,
    golden,
    unknownFields,
    checks,
  }
}
