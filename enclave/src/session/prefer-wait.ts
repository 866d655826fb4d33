const LONGEST_SECONDS = 30
const WAIT = /^\s*wait=(\d{1,6})\s*(?:;|$)/

/** Seconds that a GET may be held, from its Prefer fields; 0 without one, 30 at most. @see RFC 7240 §2, §4.3 */
export function preferredWait(fields: readonly string[]): number {
  const preferences = fields.flatMap((field) => field.split(','))
  // The first one counts, as RFC 7240 has it.
  const [seconds] = preferences.flatMap((preference) => WAIT.exec(preference)?.[1] ?? [])
  return seconds === undefined ? 0 : Math.min(Number(seconds), LONGEST_SECONDS)
}
