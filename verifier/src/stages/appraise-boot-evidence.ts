import {
  appraiseBoot,
  AttestationError,
  type BootAppraisal,
  type BootEvidence,
  type Check,
  GENUINE_BOOT_CHECKS,
  missingBoot,
  type Terms,
  withBootClaims,
} from '@parley/attestation'
import { fromBase64url, type Hardware, qualifyingDataOf, sha256, toHex } from '@parley/protocol'
import { failed, type Finding } from '../finding.js'
import type { VerifierPolicy } from '../policy.js'
import type { HardwareAppraisal } from './appraise-hardware.js'
import type { RelayKeys } from './read-bundle.js'

/** The report of a relay, and what a TPM must attest beside it where the keyset names a key of one. */
export type BootToAppraise = {
  readonly hardware: Hardware
  readonly relay: RelayKeys
  readonly policy: VerifierPolicy
  readonly terms: Terms
}

/**
 * Joins to the appraisal of a report that of the boot of the machine that asked for it (SPEC §28). Where the launch
 * measurement ends at the firmware, any other machine can have a report made over a foreign keyset; but not the quote
 * beside it, by the key that the keyset names.
 */
export const appraiseBootEvidence = async (
  report: HardwareAppraisal,
  input: BootToAppraise,
): Promise<HardwareAppraisal> => {
  const { hardware, relay, policy } = input
  const { boot_ak } = relay.keyset
  if (boot_ak === null) return withoutKey(report, hardware, policy)
  const { boot_evidence } = hardware
  const boot = boot_evidence === null ? missingBoot() : await appraise(bytesOf(boot_evidence), boot_ak, input)
  return join(report, boot, policy)
}

// Evidence beside a keyset that names no key of a TPM would be bytes that nothing verifies.
const withoutKey = (
  report: HardwareAppraisal,
  { boot_evidence }: Hardware,
  { boot }: VerifierPolicy,
): HardwareAppraisal => {
  if (boot_evidence !== null)
    return replaced(report, failed('hardware_genuine', 'boot_evidence_unexpected', 'boot_ak is null'))
  return boot === null
    ? report
    : replaced(report, failed('hardware_expected', 'boot_evidence_missing', 'boot_ak is null'))
}

const bytesOf = (evidence: NonNullable<Hardware['boot_evidence']>): BootEvidence => ({
  akPublic: fromBase64url(evidence.ak_public),
  akCertificates: evidence.ak_certificates.map((certificate) => fromBase64url(certificate)),
  quote: fromBase64url(evidence.quote),
  signature: fromBase64url(evidence.signature),
  eventLog: fromBase64url(evidence.event_log),
})

const appraise = (
  evidence: BootEvidence,
  keyDigest: string,
  { hardware, relay, policy, terms }: BootToAppraise,
): Promise<BootAppraisal> => {
  const { boot_evidence: record, report } = hardware
  if (record === null) throw new AttestationError('argument_invalid', 'no record of the boot')
  const quoted = {
    report_digest: toHex(sha256(fromBase64url(report))),
    keyset_digest: relay.keysetDigest,
  }
  const qualifyingData = qualifyingDataOf('confidential', quoted, record)
  return appraiseBoot(evidence, { keyDigest, qualifyingData, policy: policy.boot }, terms)
}

const join = (report: HardwareAppraisal, boot: BootAppraisal, policy: VerifierPolicy): HardwareAppraisal => {
  const { hardware } = policy
  const claims =
    hardware === null ? report.claims : withBootClaims(report.claims, hardware.launch_covers, boot)
  const simulated = report.simulated || boot.root === 'simulated root'
  const joined = {
    ...report,
    simulated,
    claims,
    checks: [...report.checks, ...boot.checks],
    anys: [...report.anys, ...boot.anys],
  }
  return [...failures(boot), ...refusedRoots(joined, policy)].reduce(replaced, joined)
}

const failures = ({ checks }: BootAppraisal): readonly Finding[] => {
  const broken = checks.filter(({ result }) => result === 'failed')
  const isGenuine = ({ name }: Check): boolean => GENUINE_BOOT_CHECKS.includes(name)
  return [
    ...findingOf(
      'hardware_genuine',
      broken.filter((check) => isGenuine(check)),
    ),
    ...findingOf(
      'hardware_expected',
      broken.filter((check) => !isGenuine(check)),
    ),
  ]
}

const findingOf = (
  name: 'hardware_genuine' | 'hardware_expected',
  broken: readonly Check[],
): readonly Finding[] => {
  const code = broken[0]?.code ?? null
  return code === null ? [] : [failed(name, code, broken.map((check) => check.name).join(', '))]
}

const refusedRoots = (
  { claims, simulated }: HardwareAppraisal,
  { boot, accept_simulated }: VerifierPolicy,
): readonly Finding[] => {
  if (simulated && !accept_simulated)
    return [failed('root_accepted', 'simulated_without_leave', 'SIMULATED: a chain ends in an extra root')]
  if (boot === null) return []
  const refused = (['launch', 'boot', 'app'] as const).filter((claim) => {
    const { status, root } = claims[claim]
    const accepted: readonly string[] = boot.accept[claim]
    // Where the launch covers the app, that passes without the boot; but somebody must certify what is expected of it.
    if (claim === 'boot' && status === 'not_run') return claims.app.status === 'passed'
    return status === 'passed' && root !== 'simulated root' && !accepted.includes(root)
  })
  return refused.length === 0 ? [] : [failed('root_accepted', 'claim_root_refused', refused.join(', '))]
}

// A failure of the boot stands beside whatever else is known, and never in the place of an earlier failure.
const replaced = (report: HardwareAppraisal, finding: Finding): HardwareAppraisal => ({
  ...report,
  findings: report.findings.some(({ name, result }) => name === finding.name && result === 'failed')
    ? report.findings
    : [...report.findings.filter(({ name }) => name !== finding.name), finding],
})
