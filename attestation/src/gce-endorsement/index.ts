export {
  appraiseLaunchEndorsement,
  type EndorsementAppraisal,
  type EndorsementCheck,
  type EndorsementCheckName,
  type EndorsementTerms,
} from './appraise-launch-endorsement.js'
export type { GoldenMeasurement, SevSnpEndorsement } from './golden-measurement.js'
