import { AttestationError } from '@parley/attestation'

// A time without a zone would mean something else on every machine.
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Milliseconds since 1970 of an ISO 8601 date (midnight UTC), or date and time with its zone.
 * @param what the option or field that it stands in
 * @throws AttestationError `argument_invalid`
 */
export const parseInstant = (text: string, what = '--now'): number => {
  const milliseconds = ISO.test(text) ? Date.parse(text) : NaN
  if (Number.isFinite(milliseconds)) return milliseconds
  throw new AttestationError(
    'argument_invalid',
    `${what} is not a date, or a date and time with its zone, in ISO 8601`,
  )
}
