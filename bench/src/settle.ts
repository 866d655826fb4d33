import type { Bar, Contest } from './candidate.js'
import { compare, type Comparison } from './compare.js'
import { median } from './quantile.js'

/** What became of a bar. `slack`: above it by no more than the slack, which counts as held. */
export type Verdict = 'held' | 'slack' | 'missed' | 'inconclusive'

/** A candidate's median over the conclusive runs, or over all where none is. */
export type SettledRow = {
  readonly name: string
  readonly ratio: number
  readonly microseconds: number
  readonly bar: Bar | null
  readonly verdict: Verdict | null
}

/** A contest that has been decided. */
export type Settled = { readonly rows: readonly SettledRow[]; readonly runs: number }

const SLACK = 1.05
const MOST_RUNS = 3

/** How far a ratio is beyond its bar: 1 or less where it holds. */
export const excess = (ratio: number, bar: Bar): number =>
  'atMost' in bar ? ratio / bar.atMost : bar.atLeast / ratio

type Count = { readonly held: number; readonly missed: number }

function countRuns(runs: readonly Comparison[], at: number, bar: Bar): Count {
  const ratios = runs.filter(({ conclusive }) => conclusive).map(({ rows }) => rows[at]?.ratio ?? Number.NaN)
  const held = ratios.filter((ratio) => excess(ratio, bar) <= SLACK).length
  return { held, missed: ratios.length - held }
}

/** One run that holds is enough; a miss has to repeat. */
const isDecided = ({ held, missed }: Count): boolean =>
  (held > 0 && missed === 0) || held === 2 || missed === 2

function verdictOf({ held, missed }: Count, ratio: number, bar: Bar): Verdict {
  if (missed >= 2) return 'missed'
  if (held === 0) return 'inconclusive'
  return excess(ratio, bar) <= 1 ? 'held' : 'slack'
}

function settledRow(runs: readonly Comparison[], at: number): SettledRow {
  const conclusive = runs.filter((run) => run.conclusive)
  const rows = (conclusive.length > 0 ? conclusive : runs).flatMap((run) => run.rows[at] ?? [])
  const ratio = median(rows.map((row) => row.ratio))
  const microseconds = median(rows.map((row) => row.microseconds))
  const { name = '', bar = null } = rows[0]?.candidate ?? {}
  const verdict = bar === null ? null : verdictOf(countRuns(runs, at, bar), ratio, bar)
  return { name, ratio, microseconds, bar, verdict }
}

/**
 * Runs a contest, and again where a bar was missed or the machine was too noisy to say, three times at most. A bar is
 * missed where two runs missed it by more than 5 %.
 */
export async function settle(
  contest: Contest,
  run: (contest: Contest) => Promise<Comparison> = compare,
): Promise<Settled> {
  const all = [contest.floor, ...contest.rivals]
  const runs: Comparison[] = []
  const decided = (): boolean =>
    all.every(({ bar }, at) => bar === undefined || isDecided(countRuns(runs, at, bar)))
  do runs.push(await run(contest))
  while (runs.length < MOST_RUNS && !decided())
  return { rows: all.map((_, at) => settledRow(runs, at)), runs: runs.length }
}
