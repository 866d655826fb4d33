import { RelayRefusal } from '@parley/agent'
import { contractHash, hash, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { confer } from '../harness/confer.js'
import { NEGOTIATION, record, TRICKY } from '../harness/contracts.js'
import { encapsulate, signedFor } from '../harness/craft.js'
import { exchange } from '@parley/agent'
import { judge } from '../harness/judge.js'
import { fresh, LANES } from '../harness/relay.js'
import { spentOf } from '../harness/spent.js'
import { type OpenStage as Stage, openStage } from '../harness/stage.js'
import { signLedgerClaim, toBase64url } from '@parley/protocol'

/** A contract with one member, anywhere in it, replaced or left out. */
const but = (
  path: readonly string[],
  value: JsonValue | undefined,
  from: JsonObject = TRICKY,
): JsonObject => {
  const [name = '', ...rest] = path
  if (rest.length > 0) {
    const below = from[name]
    return { ...from, [name]: but(rest, value, below !== undefined && isJsonObject(below) ? below : {}) }
  }
  const { [name]: _, ...others } = from
  return value === undefined ? others : { ...others, [name]: value }
}

/** A program that is what its contract's hash names, so that only the program itself is at fault. */
const program = (source: string, cost_limit = 1000): JsonObject => {
  const changed = { language: 'cel', source, cost_limit }
  return but(['program_hash'], hash(changed), but(['program'], changed))
}
const output = (schema: JsonObject): JsonObject =>
  but(['output_schema_hash'], hash(schema), but(['output_schema'], schema))
const input = (schema: JsonObject): JsonObject => but(['input_schemas', 'initiator'], schema)

type Fault = readonly [what: string, contract: JsonObject, detail: RegExp]
const FAULTS: readonly Fault[] = [
  [
    'an output that cannot be counted',
    output(record({ w: { type: 'string' } })),
    /^\w+ \/output_schema\/properties\/w/,
  ],
  [
    'an output without an upper bound',
    output(record({ w: { type: 'integer', minimum: 0 } })),
    /^\w+ \/output_schema\/properties\/w/,
  ],
  ['an open output', output({ type: 'object', properties: {} }), /^\w+ \/output_schema/],
  [
    'a keyword outside of the family',
    output({ ...record({}), patternProperties: {} }),
    /^\w+ \/output_schema/,
  ],
  [
    'more bits than its own budget',
    but(['entropy_budget_bits'], 2),
    /^capacity_exceeds_budget \(bits \d+ over budget 2\) \/entropy_budget_bits/,
  ],
  [
    'more bits than the policy allows',
    but(
      ['entropy_budget_bits'],
      null,
      output(record({ w: { type: 'integer', minimum: 0, maximum: 2 ** 40 } })),
    ),
    /^capacity_exceeds_policy \(.*\) \/output_schema/,
  ],
  [
    'a schema that its hash does not name',
    but(['output_schema_hash'], 'a'.repeat(64)),
    /^output_schema_hash_mismatch \/output_schema_hash/,
  ],
  [
    'an input without a bound',
    input(record({ n: { type: 'string' } })),
    /^\w+ \/input_schemas\/initiator\/properties\/n/,
  ],
  [
    'an input over the largest message',
    input(record({ n: { type: 'string', maxLength: 1_000_000 } })),
    /^\w+ \/input_schemas\/initiator/,
  ],
  ['no program', but(['program'], undefined), /^program_missing \/program|^program_hash/],
  [
    'a program that its hash does not name',
    but(['program', 'cost_limit'], 999),
    /^program_hash_mismatch \/program_hash/,
  ],
  ['a program that is none', program('{"word": '), /^\w+ \/program\/source/],
  [
    'a program that asks for the time',
    program('{"word": string(timestamp("2026-01-01T00:00:00Z"))}'),
    /^\w+ \/program\/source/,
  ],
  [
    'a program with a name that it is not given',
    program('{"word": operator.secret}'),
    /^\w+ \/program\/source/,
  ],
  ['a program with an unknown function', program('{"word": leak(initiator.n)}'), /^\w+ \/program\/source/],
  ['a program whose operands can never fit', program('{"word": "a" * 2}'), /^\w+ \/program\/source/],
  [
    'a provider’s model where there is none to ask',
    but(['evaluator'], 'llm'),
    /^evaluator_unavailable \(llm\) \/evaluator/,
  ],
  [
    'a local model where there is none',
    but(['evaluator'], 'local'),
    /^evaluator_unavailable \(local\) \/evaluator/,
  ],
  [
    'a member that its evaluator would ignore',
    but(['model_profile_id'], 'some-model'),
    /^member_not_applicable \/model_profile_id/,
  ],
  [
    'a policy that the relay does not have',
    but(['enforcement_policy_hash'], 'b'.repeat(64)),
    /^policy_unknown \/enforcement_policy_hash/,
  ],
  [
    'another relay’s key',
    but(['relay_verifying_key_hex'], 'c'.repeat(64)),
    /^relay_key_mismatch \/relay_verifying_key_hex/,
  ],
  ['an unknown member', but(['max_retries'], 1), /^object_malformed .*max_retries/],
  ['a base member left out', but(['timing_class'], undefined), /^object_malformed .*timing_class/],
  ['one participant', but(['participants'], ['a']), /^object_malformed .*participants/],
  [
    'nine participants',
    but(['participants'], ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']),
    /^object_malformed .*participants/,
  ],
  ['a participant named twice', but(['participants'], ['a', 'a']), /^object_malformed .*participants/],
  ['a participant without an input schema', but(['participants'], ['a', 'b', 'c']), /^object_malformed/],
]

describe.each(LANES)('a contract of the %s lane with', (lane) => {
  let stage: Stage
  let before: number
  beforeAll(async () => {
    stage = await openStage(lane)
    before = await spentOf(stage, stage.buyer)
  })

  /** Asks for a session under whatever contract, as the SDK would not: it parses contracts itself. */
  const create = async (contract: JsonObject): Promise<unknown> => {
    const { relay } = await stage.begin(stage.buyer)
    const { did, key } = stage.buyer.identity
    const nonce = toBase64url(fresh(32))
    const claim = { owner: did, tag: 'price-limit', limit_millibits: 1_000_000, head: null, nonce }
    const ledger = signLedgerClaim(lane, { version: 'parley-ledger-claim-v1', ...claim }, key)
    const body = { contract, ledger, nonce, invited: [stage.seller.identity.did] }
    const fields = { session: 'none', role: 'initiator', seq: '0', offer: 'none' } as const
    const sealed = encapsulate(relay.keyset, (enc) =>
      signedFor(enc, stage.buyer.identity, { path: '/v1/sessions', body }, fields),
    )
    return exchange(relay, sealed).catch((error: unknown) => error)
  }

  it('no fault opens a session: the control', async () => {
    expect(await create(TRICKY)).toMatchObject({
      session_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
  })

  it.each(FAULTS)(
    '%s is refused when the session is created, with the cause',
    async (_, contract, detail) => {
      const refused = await create(contract)
      expect(refused).toBeInstanceOf(RelayRefusal)
      expect(refused).toMatchObject({
        code: 'contract_refused',
        detail: expect.stringMatching(detail) as string,
      })
    },
  )

  it('other terms than those that the responder expects is refused to it', async () => {
    const proposal = { contract: NEGOTIATION, invited: [stage.seller.identity.did] }
    const { invitation } = await stage.buyer.create(await stage.begin(stage.buyer), proposal)
    const promised = { ...invitation, contract: TRICKY, contract_hash: contractHash(TRICKY) }
    const joining = stage.seller.join(await stage.begin(stage.seller), promised)
    await expect(joining).rejects.toMatchObject({ code: 'contract_mismatch' })
  })

  it('any fault cost nobody anything, and the next session is as good as ever', async () => {
    expect(await spentOf(stage, stage.buyer)).toBe(before)
    const [bundle] = await confer(stage)
    expect((await judge(bundle, stage.trust)).trusted).toBe(true)
  })
})
