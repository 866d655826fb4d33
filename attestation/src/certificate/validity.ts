import { type DerReader, malformed, TAG } from './der.js'

/** When a certificate counts: both ends belong to it. Milliseconds since 1970, UTC. */
export type Validity = { readonly notBeforeMs: number; readonly notAfterMs: number }

const LETTER_Z = 0x5a

const twoDigits = (text: Uint8Array, at: number): number => {
  const tens = (text[at] ?? 0) - 0x30
  const ones = (text[at + 1] ?? 0) - 0x30
  if (tens < 0 || tens > 9 || ones < 0 || ones > 9) throw malformed('a time has something else than digits')
  return 10 * tens + ones
}

const toMs = (text: Uint8Array, monthAt: number, year: number): number => {
  const field = (n: number): number => twoDigits(text, monthAt + 2 * n)
  const [month, day, hour, minute, second] = [field(0), field(1), field(2), field(3), field(4)]
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // Date rolls the 31st of February over into March: whatever came back changed was no date.
  const rolled = date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || date.getUTCHours() !== hour
  if (rolled || minute > 59 || second > 59) throw malformed('a time is no point in time')
  return date.getTime()
}

// RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime from 2050, both with seconds and in UTC.
const readUtcTime = (text: Uint8Array): number => {
  if (text.length !== 13 || text[12] !== LETTER_Z)
    throw malformed('a UTCTime is not of the form YYMMDDHHMMSSZ')
  const year = twoDigits(text, 0)
  return toMs(text, 2, year < 50 ? 2000 + year : 1900 + year)
}

const readGeneralizedTime = (text: Uint8Array): number => {
  if (text.length !== 15 || text[14] !== LETTER_Z)
    throw malformed('a GeneralizedTime is not of the form YYYYMMDDHHMMSSZ')
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2)
  if (year < 2050) throw malformed('a time before 2050 is written as GeneralizedTime')
  return toMs(text, 4, year)
}

/** Reads a Time (RFC 5280 §4.1.2.5) as milliseconds since 1970. */
export const readTime = (outer: DerReader): number =>
  outer.nextIs(TAG.utcTime)
    ? readUtcTime(outer.content(TAG.utcTime))
    : readGeneralizedTime(outer.content(TAG.generalizedTime))

/** Reads a Validity (RFC 5280 §4.1.2.5). */
export const readValidity = (outer: DerReader): Validity => {
  const times = outer.enter(TAG.sequence)
  const notBeforeMs = readTime(times)
  const notAfterMs = readTime(times)
  times.finish('the validity')
  return { notBeforeMs, notAfterMs }
}
