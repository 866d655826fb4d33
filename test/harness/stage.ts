import {
  type AttestedRelay,
  type Begin,
  type Clock,
  generateIdentity,
  Participant,
  type Trust,
} from '@parley/agent'
import type { Lane } from '@parley/protocol'
import { freshFolder } from './cleanup.js'
import { type HostileProxy, startHostileProxy } from './hostile-proxy.js'
import { openRelay, type RelayWish, type TestRelay } from './relay.js'
import { trustOf } from './trust.js'

/** A participant of the SDK in a folder of its own. */
export type Party = Participant & { readonly home: string }

export const newParty = (clock?: Clock): Party => {
  const home = freshFolder()
  const options = { identity: generateIdentity(), home }
  return Object.assign(new Participant(clock === undefined ? options : { ...options, clock }), { home })
}

/** A host before a relay, and two participants who know what to expect of that relay. */
export type Stage = {
  readonly host: HostileProxy
  readonly trust: Trust
  readonly buyer: Party
  readonly seller: Party
  /** Appraises the relay through the host, anew. */
  readonly attest: (who: Participant) => Promise<AttestedRelay>
  /** The same, ready to begin a session about the secret of a tag. */
  readonly begin: (who: Participant, budget?: Partial<Begin['budget']>) => Promise<Begin>
}

/** A stage whose relay runs in this process, so that its log can be read. */
export type OpenStage = Stage & { readonly relay: TestRelay }

export const LIMIT_MILLIBITS = 1_000_000

/** A stage before a relay that runs, with fresh participants or with given ones. */
export const stageBefore = async (
  { url, trust }: { readonly url: string; readonly trust: Trust },
  buyer = newParty(),
  seller = newParty(),
): Promise<Stage> => {
  const host = await startHostileProxy(url)
  const attest = (who: Participant): Promise<AttestedRelay> => who.attest(host.url, trust)
  return {
    host,
    trust,
    buyer,
    seller,
    attest,
    begin: async (who, budget = {}) => ({
      relay: await attest(who),
      trust,
      budget: { tag: 'price-limit', limitMillibits: LIMIT_MILLIBITS, ...budget },
    }),
  }
}

/** Starts a relay of a lane, and opens a stage before it. */
export const openStage = async (
  lane: Lane,
  wish: RelayWish = {},
  ...parties: readonly Party[]
): Promise<OpenStage> => {
  const relay = await openRelay(lane, wish)
  const trust = await trustOf(relay.keyset)
  return { ...(await stageBefore({ url: relay.url, trust }, ...parties)), relay }
}
