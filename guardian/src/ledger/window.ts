/** What an owner lets be told of one secret in any so many seconds. It bounds a pace; what bounds the sum is the limit. */
export type SpendingWindow = { readonly seconds: number; readonly limit_millibits: number }

/** A charge of the past, in Unix seconds of the host's clock. */
export type RecentCharge = { readonly at: number; readonly charge_millibits: number }

/** The window after a claim, or why the claim has no effect. The union is closed. */
export type WindowStep =
  | { readonly ok: true; readonly window: SpendingWindow | null }
  | { readonly ok: false; readonly code: 'window_loosened' }

/** The longest window, 31 days; charges are remembered for as long where none is set. */
export const MOST_WINDOW_SECONDS = 2_678_400

/** How many charges are told apart. */
const MOST_RECENT = 24

/**
 * The window that stands after a claim. At least as long and at most as much: then whatever it lets through, the one
 * before it did. A claim without one keeps what stands.
 * @see protocol SPEC §11
 */
export const tightenWindow = (
  standing: SpendingWindow | null,
  claimed: SpendingWindow | null,
): WindowStep => {
  if (claimed === null) return { ok: true, window: standing }
  const loosens =
    standing !== null &&
    (claimed.seconds < standing.seconds || claimed.limit_millibits > standing.limit_millibits)
  return loosens ? { ok: false, code: 'window_loosened' } : { ok: true, window: claimed }
}

/** The window that lets through only what both do. */
export const tighterWindow = (
  one: SpendingWindow | null,
  other: SpendingWindow | null,
): SpendingWindow | null =>
  one === null || other === null
    ? (one ?? other)
    : {
        seconds: Math.max(one.seconds, other.seconds),
        limit_millibits: Math.min(one.limit_millibits, other.limit_millibits),
      }

/** What was charged in the last `seconds` before `now`. */
export const spentWithin = (recent: readonly RecentCharge[], seconds: number, now: number): number =>
  recent.reduce((sum, { at, charge_millibits }) => (now - at < seconds ? sum + charge_millibits : sum), 0)

/**
 * Remembers a charge for as long as a window may ask for it. Where there are too many, the two nearest in time count as
 * one of the later time: that never lets more through.
 * @param seconds how long charges are remembered
 * @param charge not earlier than the last one
 */
export const rememberCharge = (
  recent: readonly RecentCharge[],
  charge: RecentCharge,
  seconds: number,
): readonly RecentCharge[] => {
  const all = [...recent.filter(({ at }) => charge.at - at < seconds), charge]
  if (all.length <= MOST_RECENT) return all
  const gaps = all.slice(1).map(({ at }, index) => at - (all[index]?.at ?? at))
  const nearest = gaps.indexOf(Math.min(...gaps))
  const merged = (all[nearest]?.charge_millibits ?? 0) + (all[nearest + 1]?.charge_millibits ?? 0)
  const at = all[nearest + 1]?.at ?? charge.at
  return [...all.slice(0, nearest), { at, charge_millibits: merged }, ...all.slice(nearest + 2)]
}
