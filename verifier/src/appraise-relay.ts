import { ChainMemo, type ExtraRoot, type Instant, type TpmRoot } from '@parley/attestation'
import { type Evidence, parseCanonicalJson, parseEvidence } from '@parley/protocol'
import { brand, type Brand } from './brand.js'
import { derived, type Finding, notRun, passed, same, stated } from './finding.js'
import type { VerifierPolicy } from './policy.js'
import { appraiseDocument } from './stages/appraise-document.js'
import { type RelayKeys, relayKeys } from './stages/read-bundle.js'
import { type AssuranceLevel, drawVerdict, NOTHING, type Verdict } from './verdict.js'

/** A relay's evidence and everything that it is judged by. */
export type RelayToAppraise = {
  /** An evidence document: its bytes as received, exact JCS, or what `parseEvidence` made of them. */
  readonly evidence: Uint8Array | Evidence
  /** The nonce that the caller drew for this appraisal, base64url of 32 octets; null where it demands none. */
  readonly nonce: string | null
  readonly policy: VerifierPolicy
  /** Roots beside AMD's; a chain that ends in one is SIMULATED. */
  readonly roots: readonly ExtraRoot[]
  /** Roots of TPMs (SPEC §28); none where absent. */
  readonly tpmRoots?: readonly TpmRoot[]
  /** A Date, or milliseconds since 1970. */
  readonly now: Instant
  /** Certificate chains verified before; nothing outlives the call where absent. */
  readonly memo?: ChainMemo
}

/**
 * A keyset that was appraised as trusted, fresh for the caller's own nonce, within its dates. Only
 * {@link appraiseRelay} makes one, and nothing may be sealed to anything less.
 */
export type AttestedKeyset = Brand<
  RelayKeys & {
    readonly nonce: string
    readonly assuranceLevel: AssuranceLevel
    /** Hardware was not AMD's: say so wherever this keyset is shown. */
    readonly simulated: boolean
  },
  'AttestedKeyset'
>

/** A verdict, and the keyset where sealing to it is warranted. */
export type RelayAppraisal = { readonly verdict: Verdict; readonly keyset: AttestedKeyset | null }

/**
 * Appraises a relay before a seal. Bad evidence never throws. Without the caller's own nonce in the leaf there is a
 * verdict and never a keyset: cached evidence alone does not suffice before a seal.
 * @throws AttestationError `argument_invalid` where `now` or a root is unusable, `reference_value_missing`
 * @see protocol SPEC §8
 */
export const appraiseRelay = async (input: RelayToAppraise): Promise<RelayAppraisal> => {
  const read = open(input.evidence)
  if ('result' in read)
    return { verdict: drawVerdict({ ...NOTHING, procedure: 'evidence', findings: [read] }), keyset: null }
  const verdict = await judge(read, input)
  return { verdict, keyset: attested(read.relay, input.nonce, verdict) }
}

type ReadEvidence = { readonly evidence: Evidence; readonly relay: RelayKeys }

const open = (given: Uint8Array | Evidence): ReadEvidence | Finding =>
  derived('evidence_form', () => {
    const evidence = parseEvidence(given instanceof Uint8Array ? parseCanonicalJson(given) : given)
    return { evidence, relay: relayKeys(evidence.keyset) }
  })

const judge = async ({ evidence, relay }: ReadEvidence, input: RelayToAppraise): Promise<Verdict> => {
  const { policy, roots, tpmRoots = [], now, nonce } = input
  const terms = { now, roots, tpmRoots, memo: input.memo ?? new ChainMemo() }
  const asked = { evidence, relay, policy: ofRelayAlone(policy), terms }
  const { level, checks, ...appraisal } = await appraiseDocument(asked)
  return drawVerdict({
    ...NOTHING,
    ...appraisal,
    procedure: 'evidence',
    findings: [passed('evidence_form'), checkNonce(evidence, nonce), ...appraisal.findings],
    assurance_level: level,
    lane: evidence.keyset.lane,
    hardware: checks,
  })
}

// A provider is asked after the inputs are sealed: its evidence comes with the result, and is judged there.
const ofRelayAlone = (policy: VerifierPolicy): VerifierPolicy =>
  policy.minimum_assurance === 'PROVIDER_ATTESTED' ? { ...policy, minimum_assurance: 'TEE_ATTESTED' } : policy

const checkNonce = (evidence: Evidence, nonce: string | null): Finding =>
  nonce === null
    ? notRun('evidence_nonce', 'nonce_not_demanded')
    : stated('evidence_nonce', [same(evidence.nonce, nonce, 'nonce_mismatch', 'nonce')])

const attested = (relay: RelayKeys, nonce: string | null, verdict: Verdict): AttestedKeyset | null => {
  const { trusted, assurance_level: assuranceLevel, simulated } = verdict
  if (!trusted || nonce === null || assuranceLevel === null) return null
  return brand({ ...relay, nonce, assuranceLevel, simulated })
}
