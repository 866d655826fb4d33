import type { Begin, Invitation, Session } from '@parley/agent'
import {
  type Bundle,
  type Contract,
  hash,
  type JsonObject,
  type JsonValue,
  type Lane,
} from '@parley/protocol'
import { contractOf, record } from './contracts.js'
import type { RelayWish } from './relay.js'
import { newParty, type OpenStage, openStage, type Party } from './stage.js'

/** An advisory rule, and a third participant that is told only whether there is a day. */
export const NARROWING: JsonObject = {
  policy_version: '1',
  policy_id: 'third_is_narrowed_v1',
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: [],
  provider_allowlist: [],
  max_output_tokens: null,
  rules: [
    {
      rule_id: 'no_digits',
      type: 'unicode_category_reject',
      value: 'Nd',
      scope: { kind: 'all_string_values', skip_keys: [] },
      classification: 'ADVISORY',
    },
    {
      rule_id: 'third_sees_agreement_only',
      type: 'recipient_narrowing',
      role: 'participant_3',
      omit: ['day'],
      classification: 'GATE',
    },
  ],
  entropy_constraints: null,
}

const free = record({
  days: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 6 }, maxItems: 7 },
})

/** The first day on which all three are free. */
export const FIRST_DAY: Contract = contractOf({
  source:
    'cel.bind(both, initiator.days.filter(d, d in responder.days && d in participant_3.days),' +
    ' size(both) > 0 ? {"agreed": "YES", "day": "DAY_" + string(both[0])} : {"agreed": "NO", "day": "NONE"})',
  output: record({
    agreed: { type: 'string', enum: ['NO', 'YES'] },
    day: {
      type: 'string',
      enum: ['NONE', 'DAY_0', 'DAY_1', 'DAY_2', 'DAY_3', 'DAY_4', 'DAY_5', 'DAY_6'],
    },
  }),
  inputs: { initiator: free, responder: free, participant_3: free },
  more: {
    participants: ['north', 'south', 'east'],
    entropy_budget_bits: 5,
    enforcement_policy_hash: hash(NARROWING),
  },
})

/** Days whose only common one is the fourth; each has a day that no other has. */
export const DAYS: readonly JsonObject[] = [{ days: [1, 4] }, { days: [2, 4] }, { days: [3, 4] }]

/** A stage with one participant more. */
export type StageOfThree = OpenStage & { readonly third: Party }

export const openStageOfThree = async (lane: Lane, wish: RelayWish = {}): Promise<StageOfThree> => ({
  ...(await openStage(lane, { ...wish, policies: [NARROWING] })),
  third: newParty(),
})

/** The three, in role order. */
export const partiesOf = ({ buyer, seller, third }: StageOfThree): readonly Party[] => [buyer, seller, third]

/** One session that nobody but its initiator has joined. */
export const createOfThree = async (
  { buyer, seller, third, begin }: StageOfThree,
  {
    contract = FIRST_DAY,
    invited = [seller.identity.did, third.identity.did],
    budget = {},
  }: {
    readonly contract?: Contract
    readonly invited?: readonly (string | null)[]
    readonly budget?: Partial<Begin['budget']>
  } = {},
): Promise<{ readonly session: Session; readonly invitation: Invitation }> =>
  buyer.create(await begin(buyer, budget), { contract, invited })

/** Three seats taken, in role order. */
export const seatThree = async (
  stage: StageOfThree,
  budget: Partial<Begin['budget']> = {},
): Promise<readonly Session[]> => {
  const { session, invitation } = await createOfThree(stage, { budget })
  const second = await stage.seller.join(await stage.begin(stage.seller, budget), invitation)
  const third = await stage.third.join(await stage.begin(stage.third, budget), invitation)
  return [session, second, third]
}

const PATIENCE_MS = 60_000

/** All appraise the offer and consent to it. */
export const consentThree = async (stage: StageOfThree, sessions: readonly Session[]): Promise<void> => {
  for (const [at, party] of partiesOf(stage).entries()) {
    const session = sessionAt(sessions, at)
    await party.consent(session, await party.offer(session, PATIENCE_MS))
  }
}

/** All submit, in role order. */
export const submitThree = async (
  stage: StageOfThree,
  sessions: readonly Session[],
  inputs: readonly JsonValue[] = DAYS,
): Promise<void> => {
  for (const [at, party] of partiesOf(stage).entries())
    await party.submit(sessionAt(sessions, at), inputs[at] ?? null, 0)
}

/** All fetch and check their results. */
export const collectThree = (
  stage: StageOfThree,
  sessions: readonly Session[],
  { openInput = false } = {},
): Promise<readonly Bundle[]> =>
  Promise.all(
    partiesOf(stage).map((party, at) =>
      party.result(sessionAt(sessions, at), { waitMs: PATIENCE_MS, hardwareWaitMs: 0, openInput }),
    ),
  )

/** The session of one of the three. */
export const sessionAt = (sessions: readonly Session[], at: number): Session => {
  const session = sessions[at]
  if (session === undefined) throw new Error('there is no such seat')
  return session
}
