import { CLOSED_DATA_POLICY, type Registry } from '@parley/guardian'
import { hash, type JsonObject } from '@parley/protocol'
import type { Limits, PolicyBundle } from '../../src/policy-bundle.js'
import { LIMITS } from '../session/test-relay.js'

/** A policy in AgentVault's form: no numerals, no currency signs. */
export const POLICY: JsonObject = {
  policy_version: '1',
  policy_id: 'codes_only',
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: [],
  provider_allowlist: ['anthropic', 'openai'],
  max_output_tokens: null,
  rules: [
    {
      rule_id: 'no_numerals',
      type: 'unicode_category_reject',
      value: 'Nd',
      scope: { kind: 'all_string_values', skip_keys: [] },
      classification: 'GATE',
    },
  ],
  entropy_constraints: { budget_bits: 32, classification: 'ADVISORY', review_trigger_pct: 80 },
}

export const NARROWING: JsonObject = {
  ...POLICY,
  policy_id: 'narrowing',
  rules: [
    {
      rule_id: 'own',
      type: 'recipient_narrowing',
      role: 'responder',
      omit: ['confidence'],
      classification: 'GATE',
    },
  ],
}

export const PROMPT: JsonObject = {
  version: '1.0.0',
  system_instruction: 'Say whether the two inputs fit.',
  input_format: 'structured',
}

export const PROFILE: JsonObject = {
  profile_version: '1',
  profile_id: 'api-example-v1',
  provider: 'anthropic',
  model_id: 'example-model-1',
  model_family: 'example',
  reasoning_mode: 'unconstrained',
  structured_output: true,
}

export const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    fit: { type: 'string', enum: ['GOOD', 'PARTIAL', 'NONE', 'GRADE_1'] },
    confidence: { type: 'string', enum: ['LOW', 'HIGH'] },
  },
  required: ['fit', 'confidence'],
  additionalProperties: false,
}

/** As AgentVault's client builds it: every base member, null where there is nothing. */
export const MODEL_CONTRACT: JsonObject = {
  purpose_code: 'COMPATIBILITY',
  output_schema_id: 'example_fit_v1',
  output_schema: SCHEMA,
  participants: ['alice', 'bob'],
  prompt_template_hash: hash(PROMPT),
  entropy_budget_bits: 8,
  timing_class: null,
  metadata: { scenario: 'example', version: '1' },
  model_profile_id: 'api-example-v1',
  model_profile_hash: hash(PROFILE),
}

export const CEL_CONTRACT: JsonObject = {
  purpose_code: 'NEGOTIATION',
  output_schema_id: 'example_meets_v1',
  output_schema: {
    type: 'object',
    properties: { meets: { type: 'string', enum: ['YES', 'NO'] } },
    required: ['meets'],
    additionalProperties: false,
  },
  participants: ['alice', 'bob'],
  prompt_template_hash: null,
  entropy_budget_bits: 3,
  entropy_enforcement: 'Gate',
  timing_class: null,
  metadata: null,
  model_profile_id: null,
  evaluator: 'cel',
  program: {
    language: 'cel',
    source: '{"meets": initiator.most >= responder.least ? "YES" : "NO"}',
    cost_limit: 1000,
  },
  input_schemas: {
    initiator: numberNamed('most'),
    responder: numberNamed('least'),
  },
}

const SHELVES: Readonly<Record<string, readonly JsonObject[]>> = {
  policy: [POLICY, NARROWING],
  program: [PROMPT],
  profile: [PROFILE],
  schema: [SCHEMA],
}

const REGISTRY: Registry = {
  rootHash: 'ab'.repeat(32),
  artefact: (kind, named) => SHELVES[kind]?.find((artefact) => hash(artefact) === named),
  resolve: (kind, named) => (SHELVES[kind]?.some((one) => hash(one) === named) === true ? named : undefined),
  list: (kind) =>
    (SHELVES[kind] ?? []).map((artefact) => ({
      id: kind,
      version: '1',
      description: kind,
      status: 'active',
      published_at: '2026-01-01',
      compatibility: { safety_class: 'SAFE' },
      hash: hash(artefact),
    })),
}

export function bundleOf(
  limits: Partial<Limits> = {},
  name: PolicyBundle['profile']['name'] = 'software',
): PolicyBundle {
  return {
    hash: 'b1'.repeat(32),
    limits: { ...LIMITS, sessions: 20, ...limits },
    registry: REGISTRY,
    guardianPolicies: new Map([[hash(POLICY), POLICY]]),
    authorities: [],
    defaultGuardianPolicy: hash(POLICY),
    providers: [],
    data: CLOSED_DATA_POLICY,
    cedar: new Map(),
    profile: { name, hash: 'c2'.repeat(32), descriptor: {}, sealing: 'memory', launchCovers: 'app' },
  }
}

function numberNamed(name: string): JsonObject {
  return {
    type: 'object',
    properties: { [name]: { type: 'integer', minimum: 0, maximum: 1000 } },
    required: [name],
    additionalProperties: false,
  }
}
