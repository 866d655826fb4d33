import type { Begin, Participant } from '@parley/agent'
import { NEGOTIATION } from './contracts.js'
import { newParty, type Stage } from './stage.js'

/**
 * What a relay says an owner has spent on a secret, in thousandths of a bit: the owner's own entry behind the offer of
 * a session that is cancelled at once. The figures before and after an attack tell whether it cost anything.
 */
export const spentOf = async (
  stage: Stage,
  owner: Participant,
  budget: Partial<Begin['budget']> = {},
): Promise<number> => {
  const probe = newParty()
  const proposal = { contract: NEGOTIATION, invited: [probe.identity.did] }
  const { session, invitation } = await owner.create(await stage.begin(owner, budget), proposal)
  await probe.join(await stage.begin(probe), invitation)
  await owner.offer(session, 10_000)
  await owner.cancel(session)
  return session.file.record.ledger_entry?.after_millibits ?? NaN
}

/** What one session under the shipped contract costs each owner: 35 outputs and 4 abort classes. */
export const CHARGE = 5286
