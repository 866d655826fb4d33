import type { Bar, Contest } from './candidate.js'
import type { Settled, SettledRow } from './settle.js'

const HEAD = line('ratio', 'µs', 'bar', 'verdict', '')

function line(ratio: string, microseconds: string, bar: string, verdict: string, name: string): string {
  return `  ${ratio.padStart(7)} ${microseconds.padStart(10)}  ${bar.padEnd(7)} ${verdict.padEnd(13)} ${name}`.trimEnd()
}

const barText = (bar: Bar | null): string => {
  if (bar === null) return ''
  return 'atMost' in bar ? `≤ ${bar.atMost.toFixed(2)}` : `≥ ${bar.atLeast.toFixed(2)}`
}

const rowText = ({ name, ratio, microseconds, bar, verdict }: SettledRow): string =>
  line(ratio.toFixed(2), microseconds.toFixed(1), barText(bar), verdict ?? '', name)

/** A decided contest as text, its floor first. */
export function tableText({ title, notes }: Contest, { rows, runs }: Settled): string {
  const times = new Map(rows.map(({ name, microseconds }) => [name, microseconds]))
  const said = (notes?.(times) ?? []).map((note) => `  ${note}`)
  const heading = runs === 1 ? title : `${title} (median of ${runs} runs)`
  return [heading, HEAD, ...rows.map(rowText), ...said, ''].join('\n')
}
