// A tag URI (RFC 4151) needs no server. The authority is a reserved name (RFC 2606): nobody else can mint under it.
const TAG = 'tag:parley.example,2026:'

/** Our profile of an EAT (RFC 9711 §6): which claims there are, and that content format 42 is an ATTESTATION_REPORT. */
export const EAT_PROFILE = `${TAG}eat/evidence/v1`

/** The profile that Veraison, Trustee and their policies read. */
export const EAR_PROFILE = 'tag:github.com,2023:veraison/ear'

/** The type of the predicate that states a verdict. */
export const VERDICT_PREDICATE = `${TAG}verdict/v1`

/** Who appraised. */
export const VERIFIER = { developer: 'Parley', build: 'parley-verify 0.1.0' } as const

/** The name of an appraisal policy: its digest. What a simulated root vouched for is named here too. */
export const policyId = (policyDigest: string, simulated: boolean): string =>
  `${TAG}policy/sha256/${policyDigest}${simulated ? '#SIMULATED' : ''}`
