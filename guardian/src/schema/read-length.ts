import type { SchemaSite } from './site.js'

type LengthKeyword = 'minLength' | 'maxLength' | 'minItems' | 'maxItems'

/** A non-negative length, `absent` where the keyword is missing, null (and refused) where it is no length. */
export const readLength = <Absent extends number | null>(
  site: SchemaSite,
  keyword: LengthKeyword,
  absent: Absent,
): number | Absent | null => {
  const length = site.read(keyword)
  if (length === undefined) return absent
  if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) return length
  site.refuse('schema_malformed', keyword)
  return null
}
