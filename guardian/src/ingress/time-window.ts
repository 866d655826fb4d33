/** Seconds that a task's date may differ from the receiver's clock, either way, inclusive. */
export const WINDOW_S = 300

/** True if the task's date is near enough. Unix seconds. */
export const isInWindow = (issued_at: number, now: number): boolean => Math.abs(now - issued_at) <= WINDOW_S

/** Why a task's life does not hold. */
export type TtlReason = 'ttl_exceeded' | 'envelope_expired'

/** Judges a task's life: no longer than its origin may ask for, and not over. */
export const ttlDefect = (
  { issued_at, ttl_s }: { readonly issued_at: number; readonly ttl_s: number },
  max_ttl_s: number,
  now: number,
): TtlReason | null => {
  if (ttl_s > max_ttl_s) return 'ttl_exceeded'
  return now > issued_at + ttl_s ? 'envelope_expired' : null
}
