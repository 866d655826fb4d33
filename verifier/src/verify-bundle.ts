import { ChainMemo, type ExtraRoot, type Instant, type Terms, type TpmRoot } from '@parley/attestation'
import { derived, passed } from './finding.js'
import type { VerifierPolicy } from './policy.js'
import { appraiseDocument } from './stages/appraise-document.js'
import { checkAtBoot } from './stages/check-at-boot.js'
import { checkAudit } from './stages/check-audit.js'
import { checkContract } from './stages/check-contract.js'
import { checkHardwarePath } from './stages/check-hardware-path.js'
import { checkOffer } from './stages/check-offer.js'
import { checkOpenings } from './stages/check-openings.js'
import { checkProvider } from './stages/check-provider.js'
import { checkReceipt } from './stages/check-receipt.js'
import { checkReexecution } from './stages/check-reexecution.js'
import { checkTranscript } from './stages/check-transcript.js'
import { type ReadBundle, readBundle } from './stages/read-bundle.js'
import { drawVerdict, NOTHING, type Verdict } from './verdict.js'

/** A bundle file and everything that it is judged by. */
export type BundleToVerify = {
  /** Exact JCS, at most 2 MiB. */
  readonly bytes: Uint8Array
  readonly policy: VerifierPolicy
  /** Roots beside AMD's; a chain that ends in one is SIMULATED. */
  readonly roots: readonly ExtraRoot[]
  /** Roots of TPMs (SPEC §28); none where absent. */
  readonly tpmRoots?: readonly TpmRoot[]
  /** The time at which certificates and keyset are judged: a Date, or milliseconds since 1970. */
  readonly now: Instant
  /** Certificate chains verified before; nothing outlives the call where absent. */
  readonly memo?: ChainMemo
}

/**
 * Verifies a bundle: the eleven steps of the specification, in its order. It opens no socket and reads no clock. A
 * bad bundle never throws: what does not hold stands in the verdict, and so does what was not run.
 * @throws AttestationError `argument_invalid` where `now` or a root is unusable, `reference_value_missing` where the
 * policy lacks a value: errors of the caller, not of the bundle
 * @see protocol SPEC §16
 */
export const verifyBundle = async (input: BundleToVerify): Promise<Verdict> => {
  const { bytes, policy, roots, tpmRoots = [], now, memo } = input
  const read = derived('bundle_form', () => readBundle(bytes))
  if ('result' in read) return drawVerdict({ ...NOTHING, procedure: 'bundle', findings: [read] })
  return judge(read, policy, { now, roots, tpmRoots, memo: memo ?? new ChainMemo() })
}

const judge = async (read: ReadBundle, policy: VerifierPolicy, terms: Terms): Promise<Verdict> => {
  const { bundle, relay } = read
  const provider = await checkProvider(bundle, policy, terms)
  const { evidence } = bundle
  const providerAttested = provider.attested
  const appraisal = await appraiseDocument({ evidence, relay, policy, terms, providerAttested })
  const receipt = checkReceipt(read)
  const contract = checkContract(read)
  const later = await checkHardwarePath(read, policy, terms)
  const findings = [
    passed('bundle_form'),
    checkAtBoot(bundle.evidence),
    ...appraisal.findings,
    ...receipt,
    ...contract.findings,
    ...checkOffer(read),
    ...checkTranscript(read),
    ...checkAudit(read),
    ...checkOpenings(read, contract.admitted),
    checkReexecution(bundle, contract.admitted),
    ...later.findings,
    ...provider.findings,
  ]
  const holds = receipt.every(({ result }) => result !== 'failed')
  return drawVerdict({
    procedure: 'bundle',
    findings,
    simulated: appraisal.simulated || later.simulated || provider.simulated,
    assurance_level: holds ? appraisal.level : null,
    lane: bundle.receipt.lane,
    hardware: appraisal.checks,
    claims: appraisal.claims,
    anys: appraisal.anys,
    waivers: appraisal.waivers,
    session_id: holds ? bundle.receipt.session_id : null,
    outcome: holds ? bundle.receipt.outcome : null,
    output: bundle.openings.output?.output ?? null,
  })
}
