import {
  type AppraisalPolicy,
  AttestationError,
  type BootPolicy,
  parseAppraisalPolicy,
  parseBootPolicy,
} from '@parley/attestation'
import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { type CheckName, isWaivable } from './check-table.js'
import { type ReferenceValue, referenceValue } from './reference-value.js'
import type { AssuranceLevel } from './verdict.js'

/** What a verifier expects of the relay's release and receipt key, each value as the keyset spells it (SPEC §7). */
export type RelayExpectations = {
  readonly version: ReferenceValue<string>
  readonly image_digest: ReferenceValue<string | null>
  readonly policy_bundle_hash: ReferenceValue<string>
  readonly profile_hash: ReferenceValue<string>
  readonly receipt_key: ReferenceValue<string>
}

/** What a verifier expects of a provider whose evidence a relay appraised before it asked. */
export type ProviderExpectations = {
  readonly hardware: AppraisalPolicy
  readonly image_digest: ReferenceValue<string>
  readonly policy_bundle_hash: ReferenceValue<string>
}

/** A check that is not to be run, and why. A verdict with a waiver is never trusted. */
export type Waiver = { readonly check: CheckName; readonly reason: string }

/** Everything that a verifier expects. */
export type VerifierPolicy = {
  readonly minimum_assurance: AssuranceLevel
  readonly accept_simulated: boolean
  /** Null only where SELF_ASSERTED is enough. */
  readonly hardware: AppraisalPolicy | null
  /** Null where nothing is expected of a TPM: then it bears out no claim, and where launch ends at the firmware, nobody does. */
  readonly boot: BootPolicy | null
  readonly relay: RelayExpectations
  /** Null where no claim on a provider is asked for: then its evidence is not judged, and counts for nothing. */
  readonly provider: ProviderExpectations | null
  readonly waive: readonly Waiver[]
}

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most))
const json = v.custom<JsonValue>((value) => value !== undefined)

const waiver = v.strictObject({
  check: v.custom<CheckName>((value) => typeof value === 'string' && isWaivable(value)),
  reason: text(256),
})

const policy = v.strictObject({
  version: v.literal('parley-policy-v1'),
  minimum_assurance: v.picklist(['PROVIDER_ATTESTED', 'TEE_ATTESTED', 'SELF_ASSERTED']),
  accept_simulated: v.boolean(),
  hardware: json,
  relay: v.strictObject({
    version: referenceValue(text(64)),
    image_digest: referenceValue(v.nullable(digest)),
    policy_bundle_hash: referenceValue(digest),
    profile_hash: referenceValue(digest),
    receipt_key: referenceValue(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))),
  }),
  // These two may be left out: without them no evidence of a boot or of a provider raises a level.
  boot: v.optional(json),
  provider: v.optional(
    v.nullable(
      v.strictObject({
        hardware: json,
        image_digest: referenceValue(digest),
        policy_bundle_hash: referenceValue(digest),
      }),
    ),
    null,
  ),
  waive: v.array(waiver),
})

/**
 * Reads a verifier's policy. Every member but `boot` and `provider` must be there: what is left out would be an expectation
 * that nobody stated, and is refused.
 * @param value the parsed JSON of a policy file
 * @throws AttestationError `reference_value_missing` where a member is absent, or no hardware is described though
 * TEE_ATTESTED is asked for, or no provider though PROVIDER_ATTESTED is; `policy_malformed` where one is unknown or wrong.
 */
export const parseVerifierPolicy = (value: JsonValue): VerifierPolicy => {
  const result = v.safeParse(policy, value, { abortEarly: true })
  if (!result.success) throw refusal(result.issues[0])
  const { minimum_assurance, accept_simulated, hardware, boot = null, relay, provider, waive } = result.output
  if (hardware === null && minimum_assurance !== 'SELF_ASSERTED')
    throw new AttestationError('reference_value_missing', 'policy: TEE_ATTESTED needs the member hardware')
  if (provider === null && minimum_assurance === 'PROVIDER_ATTESTED')
    throw new AttestationError(
      'reference_value_missing',
      'policy: PROVIDER_ATTESTED needs the member provider',
    )
  const appraisal = hardware === null ? null : parseAppraisalPolicy(hardware)
  return {
    minimum_assurance,
    accept_simulated,
    hardware: appraisal,
    boot: boot === null ? null : parseBootPolicy(boot),
    relay,
    provider: provider === null ? null : { ...provider, hardware: parseAppraisalPolicy(provider.hardware) },
    waive,
  }
}

const refusal = (issue: v.BaseIssue<unknown>): AttestationError => {
  const member = v.getDotPath(issue) ?? '(root)'
  return issue.type === 'strict_object' && issue.received === 'undefined'
    ? new AttestationError('reference_value_missing', `policy: member ${member.slice(0, 128)} is missing`)
    : new AttestationError('policy_malformed', `policy: member ${member.slice(0, 128)} is unknown or wrong`)
}
