import { printable } from '../src/printable.js'
import { make } from './element.js'
import type { Fact, Judgement, Obstacle } from './judge-files.js'

const MEANINGS: Readonly<Record<number, string>> = {
  2: 'The evidence is not genuine',
  3: 'Genuine, but not what your policy expects; or waived; or simulated without leave',
  4: 'Receipt or bundle does not match',
  5: 'Malformed: this is not what it claims to be',
}

/** What else a result says. */
export type Shown = { readonly name: string; readonly nowMs: number; readonly unused: readonly string[] }

/** A judgement as the elements of the result. */
export const showJudgement = (judgement: Judgement, { name, nowMs, unused }: Shown): readonly Node[] => [
  decision(judgement),
  make(
    'p',
    'meaning',
    `${meaning(judgement)} ${printable(name)}, judged at ${new Date(nowMs).toISOString()}.`,
  ),
  ...showUnused(unused),
  list(judgement.facts),
  make('p', 'actions', download(judgement.json)),
  ...parties(judgement),
  make('h2', '', 'Each check: against what, and who is trusted for it'),
  textOf(judgement),
  asJson(judgement.json),
]

/** What kept the page from judging. */
export const showObstacle = ({ obstacle }: Obstacle, unused: readonly string[]): readonly Node[] => [
  make('p', 'note', obstacle),
  ...showUnused(unused),
]

const decision = ({ decision: words, simulated }: Judgement): Node => {
  const good = words === 'TRUSTED' || words === 'GENUINE'
  const badge = simulated ? [' ', make('span', 'simulated', 'SIMULATED')] : []
  return make('p', `decision ${good ? 'good' : 'bad'}`, words, ...badge)
}

const meaning = ({ decision: words, exitCode }: Judgement): string => {
  if (words === 'TRUSTED') return 'Every check held, and your policy expects what was found.'
  if (words === 'GENUINE')
    return 'The root stands for this report. No policy was asked whether it is the one you want.'
  return `${MEANINGS[exitCode] ?? ''} (exit ${exitCode}).`
}

const showUnused = (unused: readonly string[]): readonly Node[] =>
  unused.length === 0 ? [] : [make('p', 'hint', `Not used: ${unused.map(printable).join(', ')}`)]

const list = (facts: readonly Fact[]): Node =>
  make('dl', '', ...facts.flatMap(([name, value]) => [make('dt', '', name), make('dd', '', value)]))

const parties = ({ parties: trusted }: Judgement): readonly Node[] => [
  make('h2', '', 'Who is still trusted, and for which checks'),
  trusted.length === 0
    ? make('p', 'hint', 'Nobody: no check that passed rests on a word.')
    : list(trusted.map(({ name, checks }) => [name, checks.join(', ')])),
]

const textOf = ({ text }: Judgement): Node => {
  const lines = text.split('\n').slice(0, -1)
  const report = make('pre', '', ...lines.map((line) => make('span', lineClass(line), `${line}\n`)))
  report.id = 'report'
  return report
}

const lineClass = (line: string): string => (/^ +(?:failed|waived) /.test(line) ? 'line bad' : 'line')

const download = (json: string): Node => {
  const button = make('button', '', 'Download as JSON')
  button.id = 'download'
  button.type = 'button'
  button.addEventListener('click', () => {
    const link = make('a', '')
    link.download = 'verdict.json'
    link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
    link.click()
    // Not at once: the browser has yet to read it.
    setTimeout(() => {
      URL.revokeObjectURL(link.href)
    }, 60_000)
  })
  return button
}

const asJson = (json: string): Node => {
  const text = make('pre', '', json)
  text.id = 'json'
  return make('details', '', make('summary', '', 'The same as JSON'), text)
}
