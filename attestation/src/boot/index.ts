export { appraiseBoot, missingBoot } from './appraise-boot.js'
export {
  type BootAppraisal,
  type BootCheckName,
  type BootEvidence,
  type ExpectedBoot,
  GENUINE_BOOT_CHECKS,
} from './boot-appraisal.js'
export type { BootAttester } from './boot-attester.js'
export { withBootClaims } from './boot-claims.js'
export type { BootFacts } from './boot-facts.js'
export { type BootPolicy, parseBootPolicy } from './boot-policy.js'
export { attestationKeyDigest } from './check-attestation-key.js'
export { type AttestationKey, parseAttestationKey } from './parse-attestation-key.js'
