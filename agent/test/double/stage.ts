import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Begin,
  type Clock,
  generateIdentity,
  type Invitation,
  Participant,
  type Session,
  type Trust,
} from '../../src/index.js'
import { makeKeys, NOW_SECONDS, policyFor } from './keys.js'
import { type RelayDouble, startRelay, type Tampering } from './relay.js'
import { contract } from './terms.js'

export const freshFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'parley-agent-'))

/** A clock that only the test moves, by being slept on. */
export const testClock = (): Clock & { ms: number } => {
  const clock = {
    ms: NOW_SECONDS * 1000,
    nowMs: () => clock.ms,
    sleep: (ms: number) => {
      clock.ms += ms
      return Promise.resolve()
    },
  }
  return clock
}

export const startParticipant = async (
  clock: Clock = testClock(),
): Promise<Participant & { folder: string }> => {
  const folder = await freshFolder()
  return Object.assign(new Participant({ identity: generateIdentity(), home: folder, clock }), { folder })
}

export type Stage = {
  readonly relay: RelayDouble
  readonly trust: Trust
  readonly buyer: Participant & { folder: string }
  readonly seller: Participant & { folder: string }
  readonly begin: (who: Participant) => Promise<Begin>
}

/** A relay double and two participants who trust it. */
export const startStage = async (tampering: Tampering = {}): Promise<Stage> => {
  const relay = await startRelay(makeKeys(), tampering)
  const trust = { policy: policyFor(relay.keys), roots: [] }
  const [buyer, seller] = [await startParticipant(), await startParticipant()]
  const begin = async (who: Participant): Promise<Begin> => ({
    relay: await who.attest(relay.url, trust),
    trust,
    budget: { tag: 'price', limitMillibits: 20_000 },
  })
  return { relay, trust, buyer, seller, begin }
}

/** The two ends of one session. */
export type Seated = { readonly bought: Session; readonly sold: Session; readonly invitation: Invitation }

/** Both are seated: the session up to its offer. */
export const seatBoth = async ({ buyer, seller, begin }: Stage): Promise<Seated> => {
  const proposal = { contract, invited: [seller.identity.did] }
  const { session: bought, invitation } = await buyer.create(await begin(buyer), proposal)
  const sold = await seller.join(await begin(seller), invitation)
  return { bought, sold, invitation }
}

/** Both have consented. */
export const consentBoth = async (stage: Stage): Promise<Seated> => {
  const seated = await seatBoth(stage)
  await stage.buyer.consent(seated.bought, await stage.buyer.offer(seated.bought, 0))
  await stage.seller.consent(seated.sold, await stage.seller.offer(seated.sold, 0))
  return seated
}
