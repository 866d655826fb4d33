import { type Appraisal, appraiseEvidence, type ExtraRoot } from '@parley/attestation'
import { equalBytes, type Evidence, type Hardware, hash, type KeyConfig, type Keyset } from '@parley/protocol'
import type { ExpectedProvider } from '../../policy/providers.js'
import { certificatesOf, hardwareParts, readEvidence, reportDataFor } from './read-evidence.js'

/** Evidence to appraise. */
export type ProviderToAppraise = {
  /** As it came: exact JCS. */
  readonly evidence: Uint8Array
  /** Drawn for this appraisal, base64url of 32 octets. */
  readonly nonce: string
  readonly expected: ExpectedProvider
  /** Roots beside AMD's. A relay passes none: what ends at another root comes from no secure processor. */
  readonly roots: readonly ExtraRoot[]
  readonly nowSeconds: number
}

/** Why nothing is sealed to a provider. The union is closed. */
export type ProviderFault =
  | 'evidence_malformed'
  | 'evidence_not_fresh'
  | 'binding_invalid'
  | 'hardware_not_expected'
  | 'release_not_expected'
  | 'keyset_outside_dates'

/** The outcome of an appraisal. */
export type ProviderAppraisal =
  | { readonly ok: true; readonly provider: AttestedProvider }
  | { readonly ok: false; readonly fault: ProviderFault }

/**
 * A provider whose evidence was appraised for a nonce of this relay: genuine hardware that runs what is expected, and a
 * key of its own to seal to. Only {@link AttestedProvider.appraise} makes one.
 */
export class AttestedProvider {
  readonly #keyset: Keyset
  readonly #config: KeyConfig
  readonly evidence: Evidence

  private constructor(evidence: Evidence, config: KeyConfig) {
    this.#keyset = evidence.keyset
    this.#config = config
    this.evidence = evidence
  }

  /** Content address of the evidence. */
  get evidenceDigest(): string {
    return hash(this.evidence)
  }

  /** The key to seal to; undefined outside its dates. */
  keyAt(nowSeconds: number): KeyConfig | undefined {
    const { not_before, not_after } = this.#keyset
    return nowSeconds >= not_before && nowSeconds <= not_after ? this.#config : undefined
  }

  /**
   * Appraises a provider's evidence. Bad evidence never throws.
   * @throws AttestationError `reference_value_missing`, `argument_invalid`
   * @see protocol SPEC §8, §19
   */
  static async appraise(input: ProviderToAppraise): Promise<ProviderAppraisal> {
    const { expected, nonce, nowSeconds } = input
    const read = readEvidence(input.evidence)
    if (read === undefined) return refused('evidence_malformed')
    const { evidence, config, hardware } = read
    if (evidence.nonce !== nonce) return refused('evidence_not_fresh')
    const reportData = reportDataFor(evidence)
    if (reportData === undefined) return refused('binding_invalid')
    const appraisal = await appraiseEvidence(
      hardwareParts(hardware),
      { policy: expected.hardware, reportData },
      { now: nowSeconds * 1000, roots: input.roots },
    )
    if (!bearsOut(appraisal, hardware)) return refused('hardware_not_expected')
    if (!isExpected(evidence.keyset, expected)) return refused('release_not_expected')
    const provider = new AttestedProvider(evidence, config)
    return provider.keyAt(nowSeconds) === undefined ? refused('keyset_outside_dates') : { ok: true, provider }
  }
}

const refused = (fault: ProviderFault): ProviderAppraisal => ({ ok: false, fault })

/** Hardware vouches for launch and program, and each certificate of the document is the one that counted. */
const bearsOut = ({ trusted, claims, signed }: Appraisal, hardware: Hardware): boolean => {
  if (!trusted || signed === null) return false
  const { leaf, intermediate, root } = signed.chain
  const given = certificatesOf(hardware)
  return (
    claims.launch.status === 'passed' &&
    claims.app.status === 'passed' &&
    [leaf, intermediate, root].every(({ der }, at) => equalBytes(der, given[at] ?? new Uint8Array(0)))
  )
}

const isExpected = ({ release, lane }: Keyset, expected: ExpectedProvider): boolean =>
  lane === 'confidential' &&
  release.image_digest === expected.image_digest &&
  release.policy_bundle_hash === expected.policy_bundle_hash
