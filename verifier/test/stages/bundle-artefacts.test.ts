import {
  type Artefacts,
  type Contract,
  type JsonObject,
  NO_ARTEFACTS,
  type ReceiptCore,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { failures, judge, NO_PROVIDER, notRun } from '../judge.js'
import { ofModel } from '../minted-model.js'

const EVALUATORS = ['llm', 'local'] as const

describe('a bundle of a model', () => {
  it.each(EVALUATORS)('is trusted with evaluator %s, and nothing is run again', async (evaluator) => {
    const verdict = await judge(ofModel(evaluator))
    expect(failures(verdict)).toEqual({})
    expect(verdict.trusted).toBe(true)
    expect(verdict.output).toBe('NEAR')
    expect(notRun(verdict)).toMatchObject({
      reexecution: 'model_not_repeatable',
      ...NO_PROVIDER,
    })
  })

  it.each(['MODEL_REFUSED', 'MODEL_TRUNCATED', 'PROVIDER_FAILED'] as const)(
    'may end as %s',
    async (abort_class) => {
      const outcome = { status: 'ABORTED', abort_class } as const
      const verdict = await judge({ ...ofModel('llm'), outcome, output: null })
      expect(failures(verdict)).toEqual({})
    },
  )

  it('of AgentVault’s, which names no evaluator, is one of a provider’s model', async () => {
    const { contract: toModel, ...rest } = ofModel('llm')
    const contract = (honest: Contract): Contract => {
      const { evaluator: _, ...unnamed } = toModel?.(honest) ?? honest
      return unnamed
    }
    expect(failures(await judge({ ...rest, contract }))).toEqual({})
  })

  it('needs no output schema beside a contract that holds its own', async () => {
    const { contract: toModel, artefacts, ...rest } = ofModel('llm')
    const contract = (honest: Contract): Contract => ({
      ...(toModel?.(honest) ?? honest),
      output_schema: artefacts?.output_schema ?? {},
    })
    const lies = { ...rest, contract, artefacts: { ...(artefacts ?? NO_ARTEFACTS), output_schema: null } }
    expect(failures(await judge(lies))).toEqual({})
  })
})

const without = (member: keyof Artefacts) => (all: Artefacts) => ({ ...all, [member]: null })
const other = (member: keyof Artefacts) => (all: Artefacts) => ({
  ...all,
  [member]: { ...(all[member] ?? {}), title: 'another' },
})

describe('what came with a contract', () => {
  it.each<[string, (all: Artefacts) => Artefacts, string]>([
    ['without the output schema', without('output_schema'), 'schema_mismatch'],
    ['without the prompt program', without('prompt_program'), 'program_mismatch'],
    ['without the model profile', without('model_profile'), 'contract_mismatch'],
    ['with another output schema', other('output_schema'), 'schema_mismatch'],
    ['with another prompt program', other('prompt_program'), 'program_mismatch'],
    ['with another model profile', other('model_profile'), 'contract_mismatch'],
  ])('%s fails the check of the contract', async (_, change, code) => {
    const honest = ofModel('llm')
    const verdict = await judge({ ...honest, artefacts: change(honest.artefacts ?? NO_ARTEFACTS) })
    expect(failures(verdict)).toMatchObject({ contract: code })
    expect(verdict.trusted).toBe(false)
  })

  it.each(['output_schema', 'prompt_program', 'model_profile'] as const)(
    'has no %s where a program evaluates and the contract holds its schema',
    async (member) => {
      const stray: JsonObject = { type: 'null' }
      const verdict = await judge({ artefacts: { ...NO_ARTEFACTS, [member]: stray } })
      expect(Object.keys(failures(verdict))).toContain('contract')
    },
  )
})

describe('what a receipt says of a model', () => {
  const lied = (evaluator: 'llm' | 'local', change: Partial<ReceiptCore>) =>
    judge({ ...ofModel(evaluator), core: (honest) => ({ ...honest, ...change }) })

  it.each<[string, 'llm' | 'local', Partial<ReceiptCore>]>([
    ['an account that nobody pays', 'llm', { provider_account: null }],
    ['inputs that stayed inside', 'llm', { egress_channel: 'none' }],
    ['a bound that nothing keeps', 'llm', { egress_channel: 'bounded' }],
    ['another model than the profile’s', 'llm', { model_asserted: 'a-better-one' }],
    ['no model', 'llm', { model_asserted: null }],
    ['an account of nobody', 'local', { provider_account: 'acme' }],
    ['inputs that left', 'local', { egress_channel: 'unbounded' }],
    ['a name that a local server gave', 'local', { model_returned: 'a-name' }],
  ])('is refused where it is %s', async (_, evaluator, change) => {
    expect(failures(await lied(evaluator, change))).toMatchObject({ contract: 'contract_mismatch' })
  })
})
