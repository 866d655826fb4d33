import { type Contract, hash, type JsonObject } from '@parley/protocol'
import type { Scenario } from './example-session.js'

const integers = (member: string, maximum: number): JsonObject => ({
  type: 'object',
  properties: { [member]: { type: 'integer', minimum: 0, maximum } },
  required: [member],
  additionalProperties: false,
})

const guardianPolicy = (policy_id: string, rules: readonly JsonObject[]): JsonObject => ({
  policy_version: '1',
  policy_id,
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: [],
  provider_allowlist: [],
  max_output_tokens: null,
  rules: [...rules],
  entropy_constraints: null,
})

type Terms = Pick<Contract, 'purpose_code' | 'output_schema_id' | 'output_schema' | 'participants'> & {
  readonly bits: number
  readonly source: string
  readonly inputs: NonNullable<Contract['input_schemas']>
}

const contractOf = ({ bits, source, inputs, ...named }: Terms): Contract => {
  const program = { language: 'cel' as const, source, cost_limit: 1000 }
  return {
    ...named,
    prompt_template_hash: null,
    entropy_budget_bits: bits,
    timing_class: null,
    metadata: null,
    model_profile_id: null,
    entropy_enforcement: 'Gate',
    evaluator: 'cel',
    program,
    program_hash: hash(program),
    input_schemas: inputs,
  }
}

/** Two participants: the session of the specification's examples. */
export const OF_TWO: Scenario = {
  name: '',
  contract: contractOf({
    purpose_code: 'NEGOTIATION',
    output_schema_id: 'example_overlap_v1',
    output_schema: {
      type: 'object',
      properties: { overlap: { type: 'string', enum: ['NO', 'YES'] } },
      required: ['overlap'],
      additionalProperties: false,
    },
    participants: ['buyer', 'seller'],
    bits: 3,
    source: '{"overlap": initiator.ceiling >= responder.floor ? "YES" : "NO"}',
    inputs: { initiator: integers('ceiling', 1_000_000), responder: integers('floor', 1_000_000) },
  }),
  guardianPolicy: guardianPolicy('example_v1', []),
  capacity: { outputs: '2', outcomes: '6', bits: 3, charge_millibits: 2585, agentvault_bits: 1 },
  inputs: [{ ceiling: 120_000 }, { floor: 90_000 }],
  output: { overlap: 'YES' },
  findings: [],
  narrowed: [],
  holder: 'initiator',
}

/** Three participants, of whom the third gets a part of the output; an advisory rule matches. */
export const OF_THREE: Scenario = {
  name: 'three: ',
  contract: contractOf({
    purpose_code: 'COORDINATION',
    output_schema_id: 'example_first_day_v1',
    output_schema: {
      type: 'object',
      properties: {
        agreed: { type: 'string', enum: ['NO', 'YES'] },
        day: { type: 'string', enum: ['DAY_0', 'DAY_1', 'DAY_2', 'NONE'] },
      },
      required: ['agreed', 'day'],
      additionalProperties: false,
    },
    participants: ['north', 'south', 'east'],
    bits: 4,
    source:
      'initiator.day == responder.day && responder.day == participant_3.day' +
      ' ? {"agreed": "YES", "day": "DAY_" + string(initiator.day)} : {"agreed": "NO", "day": "NONE"}',
    inputs: {
      initiator: integers('day', 2),
      responder: integers('day', 2),
      participant_3: integers('day', 2),
    },
  }),
  guardianPolicy: guardianPolicy('example_narrowing_v1', [
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
  ]),
  capacity: { outputs: '8', outcomes: '12', bits: 4, charge_millibits: 3585, agentvault_bits: 3 },
  inputs: [{ day: 1 }, { day: 1 }, { day: 1 }],
  output: { agreed: 'YES', day: 'DAY_1' },
  findings: ['no_digits'],
  narrowed: [{ role: 'participant_3', output: { agreed: 'YES' } }],
  holder: 'initiator',
}
