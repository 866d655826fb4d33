import type { Begin, Session } from '@parley/agent'
import type { Bundle, Contract, JsonValue } from '@parley/protocol'
import { CEILING, FLOOR, NEGOTIATION } from './contracts.js'
import type { Stage } from './stage.js'

/** The two ends of one session. */
export type Seated = { readonly bought: Session; readonly sold: Session }

const PATIENCE_MS = 60_000

/** Both are seated, and an offer stands. */
export const seatBoth = async (
  { buyer, seller, begin }: Stage,
  contract: Contract = NEGOTIATION,
  budget: Partial<Begin['budget']> = {},
): Promise<Seated> => {
  const proposal = { contract, invited: [seller.identity.did] }
  const { session: bought, invitation } = await buyer.create(await begin(buyer, budget), proposal)
  return { bought, sold: await seller.join(await begin(seller), invitation) }
}

/** Both have appraised the offer, and consent to it. */
export const consentBoth = async ({ buyer, seller }: Stage, { bought, sold }: Seated): Promise<void> => {
  await buyer.consent(bought, await buyer.offer(bought, PATIENCE_MS))
  await seller.consent(sold, await seller.offer(sold, PATIENCE_MS))
}

/** Two participants who have agreed, and whose inputs are still their own. */
export const agreed = async (
  stage: Stage,
  contract: Contract = NEGOTIATION,
  budget: Partial<Begin['budget']> = {},
): Promise<Seated> => {
  const seated = await seatBoth(stage, contract, budget)
  await consentBoth(stage, seated)
  return seated
}

/** Both submit; the first named first. */
export const submitBoth = async (
  { buyer, seller }: Stage,
  { bought, sold }: Seated,
  [first, second]: readonly [JsonValue, JsonValue] = [CEILING, FLOOR],
): Promise<void> => {
  await buyer.submit(bought, first, 0)
  await seller.submit(sold, second, 0)
}

/** Both fetch and check their results; `hardware` waits for the hardware path too. */
export const collectBoth = async (
  { buyer, seller }: Stage,
  { bought, sold }: Seated,
  { hardware = false, openInput = false } = {},
): Promise<readonly [Bundle, Bundle]> => {
  const wish = { waitMs: PATIENCE_MS, hardwareWaitMs: hardware ? PATIENCE_MS : 0, openInput }
  return [await buyer.result(bought, wish), await seller.result(sold, wish)]
}

/** A whole session. */
export const confer = async (
  stage: Stage,
  inputs: readonly [JsonValue, JsonValue] = [CEILING, FLOOR],
  contract: Contract = NEGOTIATION,
): Promise<readonly [Bundle, Bundle]> => {
  const seated = await agreed(stage, contract)
  await submitBoth(stage, seated, inputs)
  return collectBoth(stage, seated)
}
