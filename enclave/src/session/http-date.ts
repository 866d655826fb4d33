/** Unix seconds of an IMF-fixdate, in its one canonical form; undefined for anything else. @see RFC 9110 §5.6.7 */
export function parseHttpDate(text: string): number | undefined {
  const ms = Date.parse(text)
  // The engine reads many forms of a date; only the one that it would write itself counts.
  if (Number.isNaN(ms) || new Date(ms).toUTCString() !== text) return undefined
  return ms / 1000
}
