import { AttestationError, type Instant } from '@parley/attestation'

/**
 * Unix seconds, rounded down. Every comparison with a time that is none would hold.
 * @throws AttestationError `argument_invalid` where it is no point in time
 */
export const toSeconds = (now: Instant): number => {
  const milliseconds = Number(now)
  if (Number.isFinite(milliseconds)) return Math.floor(milliseconds / 1000)
  throw new AttestationError('argument_invalid', '`now` is no point in time')
}
