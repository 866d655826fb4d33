import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError, type Begin, RelayRefusal } from '@parley/agent'
import type { Bundle, LedgerEntry } from '@parley/protocol'
import { askResult } from './ask-result.js'
import { collectBoth, consentBoth, submitBoth } from './confer.js'
import { NEGOTIATION } from './contracts.js'
import type { RelayProcess } from './relay-process.js'
import { type Party, type Stage, stageBefore } from './stage.js'

/** Numbers below 1 that look random and are the same in every run. */
export const seededNumbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const once = Math.imul(state ^ (state >>> 15), 1 | state)
    const twice = (once + Math.imul(once ^ (once >>> 7), 61 | once)) ^ once
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }
}

/** When a relay is killed: once so many sessions have got so far, and so many milliseconds later. */
export type KillPoint = {
  readonly once: 'offered' | 'submitted' | 'ended'
  readonly count: number
  readonly ms: number
}

/** What a crowd of sessions left with those who took part. */
export type Crowd = {
  /** The sessions that all had joined, whatever became of them. */
  readonly ids: string[]
  /** The initiator's own entries, as offers showed them. */
  readonly offered: LedgerEntry[]
  /** The results that were fetched before anybody looked again. */
  readonly fetched: Bundle[]
  /** What the others failed with. */
  readonly failed: string[]
}

export const emptyCrowd = (): Crowd => ({ ids: [], offered: [], fetched: [], failed: [] })

/** The budgets of both, and who they are. */
export type Pair = {
  readonly buyer: Party
  readonly seller: Party
  readonly budgets: { readonly buyer: Begin['budget']; readonly seller: Begin['budget'] }
}

/** One pair confers so many times at once, until all have ended, or the relay has. */
export const conferAtOnce = async (
  relay: RelayProcess,
  { buyer, seller, budgets }: Pair,
  { sessions, kill }: { readonly sessions: number; readonly kill: KillPoint | null },
  crowd: Crowd,
): Promise<void> => {
  const stage = await stageBefore(relay, buyer, seller)
  const [first, second] = [await stage.begin(buyer, budgets.buyer), await stage.begin(seller, budgets.seller)]
  const progress = { offered: 0, submitted: 0, over: false }
  const one = async (): Promise<void> => {
    const proposal = { contract: NEGOTIATION, invited: [seller.identity.did] }
    const { session: bought, invitation } = await buyer.create(first, proposal)
    const seated = { bought, sold: await seller.join(second, invitation) }
    crowd.ids.push(bought.file.record.session_id)
    await consentBoth(stage, seated)
    progress.offered++
    const { ledger_entry } = bought.file.record
    if (ledger_entry !== null) crowd.offered.push(ledger_entry)
    await submitBoth(stage, seated)
    progress.submitted++
    crowd.fetched.push(...(await collectBoth(stage, seated)))
  }
  const all = Promise.all(
    Array.from({ length: sessions }, () =>
      one().catch((error: unknown) => {
        if (!(error instanceof RelayRefusal || error instanceof AgentError)) throw error
        crowd.failed.push(error.code)
      }),
    ),
  ).finally(() => (progress.over = true))
  if (kill !== null) {
    const seen = (): number => (kill.once === 'ended' ? endedIn(relay) : progress[kill.once])
    while (seen() < kill.count && !progress.over) await sleep(2)
    await sleep(kill.ms)
    await relay.kill()
  }
  await all
}

/** How many sessions a relay says it has ended; each was committed before. */
export const endedIn = ({ output }: RelayProcess): number =>
  output().split('"event":"session_ended"').length - 1

/** What a relay holds of sessions of this pair: the bundle of each participant, of each session that it knows. */
export const recordsOf = async (
  stage: Stage,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly [Bundle, Bundle]>> => {
  const found = new Map<string, readonly [Bundle, Bundle]>()
  const relay = await stage.attest(stage.buyer)
  const ask = async (id: string, role: 'initiator' | 'responder'): Promise<Bundle | null> => {
    const { identity } = role === 'initiator' ? stage.buyer : stage.seller
    try {
      return (await askResult(relay, identity, role, id)).bundle
    } catch (error) {
      if (error instanceof RelayRefusal && error.code === 'session_unknown') return null
      throw error
    }
  }
  await Promise.all(
    ids.map(async (id) => {
      const [one, other] = [await ask(id, 'initiator'), await ask(id, 'responder')]
      if ((one === null) !== (other === null)) throw new Error(`session ${id} is there for one only`)
      if (one !== null && other !== null) found.set(id, [one, other])
    }),
  )
  return found
}
