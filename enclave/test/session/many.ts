import {
  type Contract,
  hash,
  type JsonObject,
  type JsonValue,
  parseContract,
  type Role,
  rolesOf,
} from '@parley/protocol'
import { good, Participant } from './participant.js'
import { POLICY, type TestRelay } from './test-relay.js'
import { TRICKY } from './tricky-contract.js'

const NAME = 'a-name-of-sixty-four-characters-which-is-as-long-as-a-name-may-b'

const n: JsonObject = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 0, maximum: 9 } },
  required: ['n'],
  additionalProperties: false,
}

/** A policy with an advisory rule that matches nothing, under which every participant is narrowed. */
export const NARROWING: JsonObject = {
  ...POLICY,
  policy_id: 'all_narrowed_v1',
  rules: [
    {
      rule_id: 'no_money',
      type: 'unicode_category_reject',
      value: 'Sc',
      scope: { kind: 'all_string_values', skip_keys: [] },
      classification: 'ADVISORY',
    },
    ...rolesOf(8).map((role) => ({
      rule_id: `narrows ${role}`,
      type: 'recipient_narrowing',
      role,
      omit: ['word'],
      classification: 'GATE',
    })),
  ],
}

/** A contract of so many: a sum of 0 or 1 gives a word, 2 a draft that the guardian refuses, 3 and more a fault. */
export const contractOfMany = (most: number, policy: JsonObject = POLICY): Contract => {
  const roles = rolesOf(most)
  const program = {
    language: 'cel' as const,
    source: `{"word": ["NO", "A_MUCH_LONGER_WORD_THAN_THE_OTHER", "OTHER"][${roles.map((role) => `${role}.n`).join(' + ')}]}`,
    cost_limit: 1000,
  }
  return parseContract({
    ...TRICKY,
    participants: roles.map((_, at) => `${at}${NAME.slice(1)}`),
    program,
    program_hash: hash(program),
    enforcement_policy_hash: hash(policy),
    input_schemas: Object.fromEntries(roles.map((role): [Role, JsonObject] => [role, n])),
  })
}

/** So many participants, each in the longest spelling of its budget. */
export const manyOf = (relay: TestRelay, most: number): readonly Participant[] =>
  rolesOf(most).map((role) => {
    const each = new Participant(relay, role)
    each.tag = 't'.repeat(64)
    each.limit = 1_000_000_000
    return each
  })

/** The same, up to the consent of all. */
const consentedMany = async (
  contract: Contract,
  all: readonly Participant[],
): Promise<readonly Participant[]> => {
  const [first, ...others] = all
  if (first === undefined) throw new Error('nobody')
  await first.created(
    contract,
    others.map(({ did }) => did),
  )
  for (const each of others) {
    each.session = first.session
    good(await each.join(contract))
  }
  for (const each of all) {
    await each.fetchedOffer()
    good(await each.consent())
  }
  return all
}

/** The same, up to the input of all; the states that the relay names meanwhile. */
export const submittedMany = async (
  contract: Contract,
  all: readonly Participant[],
  inputs: readonly JsonValue[],
): Promise<readonly JsonValue[]> => {
  await consentedMany(contract, all)
  const states: JsonValue[] = []
  for (const [at, each] of all.entries()) states.push(good(await each.input(inputs[at] ?? null)))
  return states
}
