import { type Bundle, canonicalBytes, canonicalize, hash, type JsonObject } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { confer } from '../harness/confer.js'
import { contractOf, record } from '../harness/contracts.js'
import { revealed } from '../harness/host-bytes.js'
import { judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { type OpenStage as Stage, openStage } from '../harness/stage.js'

/** What the program drafts when it is told to, and what becomes of that draft. */
const DRAFTS: Readonly<Record<string, readonly [draft: string, leaves: boolean]>> = {
  SORTED: ['{"a": "NO", "b": {"x": true, "y": 1}}', true],
  UNSORTED: ['{"b": {"y": 1, "x": true}, "a": "NO"}', true],
  ONE_MORE: ['{"a": "NO", "b": {"x": true, "y": 1}, "c": 1}', false],
  ONE_LESS: ['{"a": "NO"}', false],
  ONE_MORE_BELOW: ['{"a": "NO", "b": {"x": true, "y": 1, "z": null}}', false],
  NOT_LISTED: ['{"a": "MAYBE", "b": {"x": true, "y": 1}}', false],
  OTHER_CASE: ['{"a": "no", "b": {"x": true, "y": 1}}', false],
  OTHER_KIND: ['{"a": "NO", "b": {"x": "true", "y": 1}}', false],
  OVER_BOUND: ['{"a": "NO", "b": {"x": true, "y": 10}}', false],
  INPUT: ['{"a": initiator.note, "b": {"x": true, "y": 1}}', false],
  INPUT_AS_NAME: ['[initiator.note]', false],
  BARE: ['"NO"', false],
  NULL: ['null', false],
  NUMERAL: ['{"a": "ROUTE_66", "b": {"x": true, "y": 1}}', false],
  CURRENCY: ['{"a": "\u20ac", "b": {"x": true, "y": 1}}', false],
}

const NOTE = 'the canary of the seventh guarantee'

const contract = (more: JsonObject = {}) =>
  contractOf({
    source: Object.entries(DRAFTS).reduceRight(
      (otherwise, [told, [draft]]) => `initiator.told == "${told}" ? dyn(${draft}) : ${otherwise}`,
      'dyn(null)',
    ),
    output: record({
      a: { type: 'string', enum: ['NO', 'YES', 'ROUTE_66', '\u20ac'] },
      b: record({ x: { type: 'boolean' }, y: { type: 'integer', minimum: 0, maximum: 9 } }),
    }),
    inputs: {
      initiator: record({
        told: { type: 'string', enum: Object.keys(DRAFTS) },
        note: { type: 'string', maxLength: 64 },
      }),
      responder: record({}),
    },
    more: { entropy_budget_bits: 8, ...more },
  })

/** A policy without rules: what the shipped one refuses, this one lets pass. */
const LENIENT: JsonObject = {
  policy_version: '1',
  policy_id: 'no_rules_v1',
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: [],
  provider_allowlist: [],
  max_output_tokens: null,
  rules: [],
  entropy_constraints: null,
}

describe.each(LANES)('a draft of the %s lane', (lane) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(lane, { policies: [LENIENT] })
  })

  const drafted = async (told: string, more: JsonObject = {}): Promise<readonly [Bundle, Bundle]> =>
    confer(stage, [{ told, note: NOTE }, {}], contract(more))

  const withheld = Object.entries(DRAFTS).flatMap(([told, [, leaves]]) => (leaves ? [] : [told]))

  it.each(withheld)('%s never leaves: OUTPUT_REFUSED, and nothing of it in either bundle', async (told) => {
    for (const bundle of await drafted(told)) {
      expect(bundle.receipt.outcome).toEqual({ status: 'ABORTED', abort_class: 'OUTPUT_REFUSED' })
      expect(bundle.openings.output?.output).toBe(null)
      // The contract itself names the words, so the note is what is looked for.
      expect(revealed(Buffer.from(canonicalBytes(bundle)), [NOTE])).toBe(false)
      expect((await judge(bundle, stage.trust)).trusted).toBe(true)
    }
  })

  it('in another order of members leaves as the same canonical bytes, the same for both', async () => {
    const text = '{"a":"NO","b":{"x":true,"y":1}}'
    for (const bundle of [...(await drafted('SORTED')), ...(await drafted('UNSORTED'))]) {
      expect(bundle.receipt.outcome.status).toBe('COMPLETED')
      expect(canonicalize(bundle.openings.output?.output ?? null)).toBe(text)
      expect(Buffer.from(canonicalBytes(bundle)).includes(`"output":{"findings":[],"output":${text}`)).toBe(
        true,
      )
    }
  })

  it('as it came over the wire is canonical already: both got the same object, and no other bytes', async () => {
    const [one, two] = await drafted('UNSORTED')
    expect(canonicalize(one.openings.output)).toBe(canonicalize(two.openings.output))
    expect(one.receipt).toEqual(two.receipt)
  })

  it.each(['NUMERAL', 'CURRENCY'])(
    '%s is withheld by the policy alone: under another policy it leaves',
    async (told) => {
      const [bundle] = await drafted(told, { enforcement_policy_hash: hash(LENIENT) })
      expect(bundle.receipt.outcome.status).toBe('COMPLETED')
      expect(bundle.receipt.guardian_policy_hash).toBe(hash(LENIENT))
      expect((await judge(bundle, stage.trust)).trusted).toBe(true)
    },
  )

  it('with the note in it would have been found: the control', () => {
    expect(revealed(Buffer.from(JSON.stringify({ a: NOTE })), [NOTE])).toBe(true)
  })
})
