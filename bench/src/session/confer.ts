import {
  type AttestedRelay,
  generateIdentity,
  Participant,
  type ParticipantState,
  type Trust,
} from '@parley/agent'
import { type Contract, parseContract } from '@parley/protocol'
import { shippedContract } from './shipped-contract.js'

/** Two participants who have appraised a relay and confer through it again and again. */
export type Pair = {
  /** One session: create, join, offers, consents, both inputs, both results, each checked. */
  readonly confer: () => Promise<void>
}

const WAIT_MS = 20_000
const INPUTS = [
  { ceiling: 48_731_900, currency: 'EUR' },
  { floor: 45_118_300, currency: 'EUR' },
] as const

type Both = {
  readonly parties: readonly [Participant, Participant]
  readonly relay: AttestedRelay
  readonly trust: Trust
  readonly contract: Contract
}

/** Where a relay is, and what it is judged by. */
export type Met = { readonly url: string; readonly trust: Trust }

/** Makes two participants, each with a state of its own. */
export async function pairUp(
  { url, trust }: Met,
  home: (name: string) => string | ParticipantState,
): Promise<Pair> {
  const party = (name: string): Participant =>
    new Participant({ identity: generateIdentity(), home: home(name) })
  const parties = [party('buyer'), party('seller')] as const
  const attested = await parties[0].attest(url, trust)
  const both = { parties, relay: attested, trust, contract: parseContract(shippedContract()) }
  let sessions = 0
  return { confer: () => conferOnce(both, `secret-${String(sessions++)}`) }
}

async function conferOnce(
  { parties: [buyer, seller], relay, trust, contract }: Both,
  tag: string,
): Promise<void> {
  const begin = { relay, trust, budget: { tag, limitMillibits: null } }
  const proposal = { contract, invited: [seller.identity.did] }
  const { session: bought, invitation } = await buyer.create(begin, proposal)
  const sold = await seller.join(begin, invitation)
  const offers = await Promise.all([buyer.offer(bought, WAIT_MS), seller.offer(sold, WAIT_MS)])
  await Promise.all([buyer.consent(bought, offers[0]), seller.consent(sold, offers[1])])
  await Promise.all([buyer.submit(bought, INPUTS[0], 0), seller.submit(sold, INPUTS[1], 0)])
  const wish = { waitMs: WAIT_MS, hardwareWaitMs: 0, openInput: true }
  const bundles = await Promise.all([buyer.result(bought, wish), seller.result(sold, wish)])
  for (const { receipt } of bundles)
    if (receipt.outcome.status !== 'COMPLETED') throw new Error('a session did not complete')
}
