import type { Bundle } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { failures, judge, judgeBytes, notRun } from '../judge.js'
import { CONTRACT, mintBundle, toBytes } from '../minted-bundle.js'
import { without } from '../without.js'

const opened = async (change: (honest: Bundle['openings']) => Bundle['openings']) => {
  const honest = await mintBundle('software', null)
  return judgeBytes(toBytes({ ...honest, openings: change(honest.openings) }))
}

describe('an opened output', () => {
  it('is refused where it is not what was committed to', async () => {
    const verdict = await opened((honest) => ({
      ...honest,
      output: honest.output && { ...honest.output, output: { overlap: 'NO' } },
    }))
    expect(verdict).toMatchObject({ trusted: false, exit_code: 4, output: null })
    expect(failures(verdict)).toEqual({ output: 'opening_mismatch', reexecution: 'reexecution_mismatch' })
  })

  it('is refused where the schema does not admit it, though it was committed to', async () => {
    const verdict = await judge({ output: { overlap: 'MAYBE' } })
    expect(failures(verdict)).toEqual({
      output_allowed: 'output_refused',
      reexecution: 'reexecution_mismatch',
    })
  })

  it('is refused where the guardian policy does not let it pass', async () => {
    const gate = {
      rule_id: 'no_money',
      type: 'unicode_category_reject',
      value: 'Sc',
      scope: { kind: 'all_string_values', skip_keys: [] },
      classification: 'GATE',
    }
    const price = { type: 'string', enum: ['$', 'none'] }
    const program = { language: 'cel' as const, source: '{"overlap": "$"}', cost_limit: 100 }
    const contract = without(CONTRACT, 'program_hash')
    const verdict = await judge({
      contract: () => ({
        ...contract,
        program,
        output_schema: { ...CONTRACT.output_schema, properties: { overlap: price } },
      }),
      guardianPolicy: {
        policy_version: '1',
        policy_id: 'gated_v1',
        policy_scope: 'RELAY_GLOBAL',
        model_profile_allowlist: [],
        provider_allowlist: [],
        max_output_tokens: null,
        rules: [gate],
        entropy_constraints: null,
      },
    })
    expect(failures(verdict)).toEqual({
      output_allowed: 'output_refused',
      reexecution: 'reexecution_mismatch',
    })
  })

  it('is refused where the session was aborted', async () => {
    const verdict = await judge({
      outcome: { status: 'ABORTED', abort_class: 'EVALUATION_FAILED' },
      output: { overlap: 'YES' },
    })
    expect(failures(verdict)).toMatchObject({ output_allowed: 'output_of_aborted' })
  })

  it('may be kept back, and then the verdict says so', async () => {
    const verdict = await opened((honest) => ({ ...honest, output: null }))
    expect(verdict).toMatchObject({ trusted: true, output: null })
    expect(notRun(verdict)).toMatchObject({
      output: 'output_not_open',
      output_allowed: 'output_not_open',
      reexecution: 'output_not_open',
    })
  })
})

describe('an opened input', () => {
  it('is refused where it is not what was committed to', async () => {
    const verdict = await opened((honest) => ({
      ...honest,
      inputs: honest.inputs.map((each) => ({ ...each, input: { ceiling: 1 } })),
    }))
    expect(failures(verdict)).toMatchObject({ inputs: 'opening_mismatch' })
  })

  it("is refused as the other participant's", async () => {
    const verdict = await opened((honest) => ({
      ...honest,
      inputs: honest.inputs.map((each) => ({
        ...each,
        role: each.role === 'initiator' ? 'responder' : 'initiator',
      })),
    }))
    expect(failures(verdict)).toMatchObject({ inputs: 'opening_mismatch' })
  })

  it('is refused where it is opened twice', async () => {
    const verdict = await opened((honest) => ({
      ...honest,
      inputs: honest.inputs.slice(0, 1).flatMap((each) => [each, each]),
    }))
    expect(failures(verdict)).toEqual({ inputs: 'opening_mismatch' })
  })

  it('is refused where its schema does not admit it', async () => {
    const verdict = await judge({ inputs: { initiator: { ceiling: -1 }, responder: { floor: 90_000 } } })
    expect(failures(verdict)).toEqual({ inputs: 'input_refused' })
  })

  it('alone does not run the program again', async () => {
    const verdict = await opened((honest) => ({ ...honest, inputs: honest.inputs.slice(0, 1) }))
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toMatchObject({ reexecution: 'inputs_not_open' })
  })
})
