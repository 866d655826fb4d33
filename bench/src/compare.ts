import type { Candidate, Contest } from './candidate.js'
import { median, quantile } from './quantile.js'

/** What one candidate came to in one run. */
export type Row = { readonly candidate: Candidate; readonly ratio: number; readonly microseconds: number }

/** One run of a contest; the floor stands first. */
export type Comparison = {
  readonly rows: readonly Row[]
  /** Whether the machine was quiet enough for the ratios to mean something. */
  readonly conclusive: boolean
}

const ROUNDS = 25
const SLICE_MS = 20
const SLICES_TO_WARM_UP = 20
const MOST_SPREAD = 1.6

/** How many times fit into a slice, found out while the candidate warms up. */
async function timesForSlice({ cpu }: Candidate, sliceMs: number): Promise<number> {
  const slice = sliceMs * 1000
  let times = 1
  for (let spent = 0; spent < SLICES_TO_WARM_UP * slice; ) {
    const used = Math.max(1, await cpu(times))
    spent += used
    times = Math.max(1, Math.min(4 * times, Math.round((times * slice) / used)))
  }
  return times
}

async function oneRound(
  order: readonly Candidate[],
  times: ReadonlyMap<Candidate, number>,
): Promise<Map<Candidate, number>> {
  const spent = new Map<Candidate, number>()
  for (const candidate of order) {
    const count = times.get(candidate) ?? 1
    spent.set(candidate, (await candidate.cpu(count)) / count)
  }
  return spent
}

/**
 * Runs floor and rivals in turn, a slice of CPU time each, in an order that rotates, and gives medians over 25 rounds of
 * the ratio to the floor of the same round. Inconclusive where the floor itself spreads over 1.6 between its 10 % and
 * 90 % quantiles.
 */
export async function compare({ floor, rivals, per = 1, sliceMs = SLICE_MS }: Contest): Promise<Comparison> {
  const all = [floor, ...rivals]
  const times = new Map<Candidate, number>()
  for (const candidate of all) times.set(candidate, await timesForSlice(candidate, sliceMs))
  const rounds: ReadonlyMap<Candidate, number>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const shift = round % all.length
    rounds.push(await oneRound([...all.slice(shift), ...all.slice(0, shift)], times))
  }
  const spentBy = (candidate: Candidate): number[] =>
    rounds.map((round) => round.get(candidate) ?? Number.NaN)
  const floors = spentBy(floor)
  const rows = all.map((candidate) => {
    const spent = spentBy(candidate)
    const ratio = median(spent.map((value, round) => value / (floors[round] ?? Number.NaN)))
    return { candidate, ratio, microseconds: median(spent) / per }
  })
  return { rows, conclusive: quantile(floors, 0.9) / quantile(floors, 0.1) <= MOST_SPREAD }
}
