import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { exchange, type SealedRequest, type Session } from '@parley/agent'
import type { Contract, JsonValue, Lane } from '@parley/protocol'
import { agreed, type Seated } from './confer.js'
import { askResult } from './ask-result.js'
import { encapsulate, fieldsOf, signedFor } from './craft.js'
import type { RelayWish } from './relay.js'
import { filesIn } from './search.js'
import { type OpenStage, openStage } from './stage.js'
import { virtualClock, type VirtualClock } from './virtual-clock.js'

const TICK_MS = 50
const SLOT_MS = 300

/** A run from both consents to both results, as the host sees it: order, sizes, moments. */
export type HostView = readonly string[]

export type Run = {
  readonly lane: Lane
  readonly contract: Contract
  readonly inputs: readonly [JsonValue, JsonValue]
  /** Where a model evaluates. */
  readonly models?: RelayWish['models']
  /** A leak: the first input is padded to what it needs itself. */
  readonly unpadded?: true
  /** A leak: the results come so many ticks later. */
  readonly lateTicks?: number
}

/** Plays one session over a clock that stands still between ticks, and writes down all that the host can see. */
export const hostView = async (run: Run): Promise<HostView> => {
  const clock = virtualClock()
  const slots = { release_slot_ms: SLOT_MS, model_slot_ms: SLOT_MS }
  const limits = { tick_ms: TICK_MS, ...slots, report_window_ms: 1 }
  const models = run.models === undefined ? {} : { models: run.models }
  const stage = await openStage(run.lane, { clock, limits, ...models })
  const seated = await agreed(stage, run.contract)
  // All moments of the run are told from here.
  clock.stopAt(SLOT_MS)
  const begun = clock.nowMs()
  const marks = { exchanges: stage.host.seen.length, lines: stage.relay.lines.length }
  const view: string[] = []
  const look = (): void => {
    const at = `${clock.nowMs() - begun} ms`
    const { seen } = stage.host
    for (; marks.exchanges < seen.length; marks.exchanges++)
      view.push(`${at} ${exchangeText(seen[marks.exchanges])}`)
    for (; marks.lines < stage.relay.lines.length; marks.lines++)
      view.push(`${at} log ${withoutTick(stage.relay.lines[marks.lines], begun / TICK_MS)}`)
    if (run.lane === 'confidential') view.push(`${at} disk ${diskText(stage.relay.store)}`)
  }
  await submit(stage, seated, run)
  await clock.settled()
  look()
  await watch(stage, seated, clock, look, run.lateTicks ?? 0)
  await stage.relay.close()
  return view
}

const submit = async ({ buyer, seller }: OpenStage, { bought, sold }: Seated, run: Run): Promise<void> => {
  if (run.unpadded === true)
    await exchange(bought.relay, await unpaddedInput(buyer.identity, bought, run.inputs[0]))
  else await buyer.submit(bought, run.inputs[0], 0)
  await seller.submit(sold, run.inputs[1], 0)
}

const unpaddedInput = async (
  identity: OpenStage['buyer']['identity'],
  session: Session,
  input: JsonValue,
): Promise<SealedRequest> => {
  const fields = await fieldsOf(session)
  const asked = { path: `/v1/sessions/${fields.session}/input`, body: { input, salt: 'A'.repeat(43) } }
  return encapsulate(session.relay.keyset, (enc) => signedFor(enc, identity, asked, fields))
}

/** Both ask at every tick, until well after the release. */
const watch = async (
  { buyer, seller }: OpenStage,
  { bought, sold }: Seated,
  clock: VirtualClock,
  look: () => void,
  lateTicks: number,
): Promise<void> => {
  const begun = clock.nowMs()
  const id = bought.file.record.session_id
  for (let tick = 0; tick < SLOT_MS / TICK_MS + 3; tick++) {
    const one = askResult(bought.relay, buyer.identity, 'initiator', id)
    await clock.settled()
    const other = askResult(sold.relay, seller.identity, 'responder', id)
    await clock.advance(TICK_MS)
    await Promise.all([one, other])
    // The evaluation begins a tick after the second input. Whoever carries it out, its release waits for half a slot.
    if (tick === 0) {
      await clock.awaited(begun + SLOT_MS / 2)
      await clock.advance(TICK_MS * lateTicks)
    }
    look()
  }
}

type Exchange = OpenStage['host']['seen'][number]

const exchangeText = (exchange: Exchange | undefined): string => {
  if (exchange === undefined) return 'nothing'
  const { request, answer } = exchange
  const headers = JSON.stringify(answer?.headers ?? null)
  return [
    `${request.method} ${request.path} ${request.type} ${request.body.length}`,
    `${answer?.status ?? 'cut'} ${headers} ${answer?.body.length ?? 0}`,
  ].join(' -> ')
}

const withoutTick = (line = '', first: number): string =>
  line.trim().replace(/"tick":(\d+)/, (_, tick: string) => `"tick":${Number(tick) - first}`)

/** Names, sizes, and which files have changed since they were last looked at. */
const diskText = (store: string): string =>
  filesIn(store)
    .map((path) => {
      const bytes = readFileSync(path)
      const digest = createHash('sha256').update(bytes).digest('hex')
      const changed = known.get(path) !== digest
      known.set(path, digest)
      return `${relative(store, path).replace(/[0-9a-f]{32}/, 'EPOCH')} ${bytes.length} ${changed ? 'written' : 'untouched'}`
    })
    .sort()
    .join(', ')

const known = new Map<string, string>()
