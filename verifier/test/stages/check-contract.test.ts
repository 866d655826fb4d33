import { hash, toHex } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { failures, judge } from '../judge.js'
import { CONTRACT, KEYS } from '../minted-bundle.js'

const OTHER = 'b'.repeat(64)

describe('a contract in a bundle', () => {
  it.each<[string, string]>([
    ['contract_hash', 'contract_mismatch'],
    ['output_schema_hash', 'schema_mismatch'],
    ['program_hash', 'program_mismatch'],
    ['prompt_program_hash', 'program_mismatch'],
    ['model_profile_hash', 'contract_mismatch'],
  ])('is not the one of a receipt with another %s', async (member, code) => {
    const verdict = await judge({ core: (core) => ({ ...core, [member]: OTHER }) })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toMatchObject({ contract: code, offer_terms: 'offer_mismatch' })
  })

  it.each<[string, object]>([
    ['an egress channel', { egress_channel: 'unbounded' }],
    ['a provider account', { provider_account: 'somebody' }],
    ['an asserted model', { model_asserted: 'a model' }],
    ['a returned model', { model_returned: 'a model' }],
    ['another evaluator', { evaluator: 'llm' }],
  ])('was not run by what names %s', async (_, change) => {
    const verdict = await judge({ core: (core) => ({ ...core, ...change }) })
    expect(failures(verdict)).toMatchObject({ contract: 'contract_mismatch' })
  })

  it('must be run under the receipt key that it names', async () => {
    const named = (key: Uint8Array) =>
      judge({ contract: (contract) => ({ ...contract, relay_verifying_key_hex: toHex(key) }) })
    expect((await named(KEYS.receipt.publicKey)).trusted).toBe(true)
    expect(failures(await named(KEYS.log.publicKey))).toEqual({ contract: 'keyset_mismatch' })
  })

  it('is refused where no relay may run it', async () => {
    const output_schema = { type: 'string' }
    const verdict = await judge({
      contract: (contract) => ({ ...contract, output_schema }),
      output: 'anything',
    })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toEqual({ contract_admitted: 'contract_refused' })
    expect(verdict.checks.find(({ name }) => name === 'contract_admitted')?.detail).toMatch(
      /^value_unbounded /,
    )
  })

  it('is refused where it names another program than it carries', async () => {
    const verdict = await judge({ contract: (contract) => ({ ...contract, program_hash: OTHER }) })
    expect(failures(verdict)).toEqual({ contract_admitted: 'contract_refused' })
  })

  it('is refused where its capacity is over its own budget', async () => {
    const verdict = await judge({ contract: (contract) => ({ ...contract, entropy_budget_bits: 2 }) })
    expect(failures(verdict)).toEqual({ contract_admitted: 'contract_refused' })
  })

  it('is recounted: a smaller capacity in offer and receipt is found', async () => {
    const capacity = { outputs: '1', outcomes: '5', bits: 3, charge_millibits: 2322, agentvault_bits: 1 }
    const verdict = await judge({
      offer: (offer) => ({ ...offer, capacity }),
      core: (core) => ({ ...core, capacity }),
    })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toMatchObject({ capacity: 'capacity_mismatch' })
  })

  it.each<[string, string[]]>([
    ['invented', ['all_good']],
    ['invented twice', ['all_good', 'all_good']],
  ])('has no advisories that were %s', async (_, advisories) => {
    const verdict = await judge({ core: (core) => ({ ...core, advisories }) })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toEqual({ contract_admitted: 'advisories_mismatch' })
  })

  it('has each of the advisories that it calls for', async () => {
    const contract = () => ({
      ...CONTRACT,
      entropy_budget_bits: 2,
      entropy_enforcement: 'Advisory' as const,
    })
    const kept = await judge({ contract })
    expect(failures(kept)).toEqual({ contract_admitted: 'advisories_mismatch' })
    const told = await judge({
      contract,
      core: (core) => ({ ...core, advisories: ['capacity_exceeds_contract_budget'] }),
    })
    expect(told.trusted).toBe(true)
  })

  it('has the participants that the receipt names, in their roles', async () => {
    const verdict = await judge({
      contract: (contract) => ({ ...contract, participants: ['seller', 'buyer'] }),
    })
    expect(failures(verdict)).toEqual({
      contract: 'participants_mismatch',
      offer_participants: 'participants_mismatch',
    })
  })
})

describe('a guardian policy in a bundle', () => {
  it('is the one that receipt and contract name', async () => {
    const verdict = await judge({ core: (core) => ({ ...core, guardian_policy_hash: OTHER }) })
    expect(failures(verdict)).toMatchObject({ guardian_policy: 'policy_mismatch' })
    const named = await judge({ contract: (contract) => ({ ...contract, enforcement_policy_hash: OTHER }) })
    expect(failures(named)).toMatchObject({ guardian_policy: 'policy_mismatch' })
  })

  it('is one whose rules are known', async () => {
    const verdict = await judge({ guardianPolicy: { anything: 'goes' } })
    expect(failures(verdict)).toEqual({ guardian_policy: 'object_malformed' })
  })

  it('may be named by the contract', async () => {
    const guardianPolicy = {
      policy_version: '1',
      policy_id: 'named_v1',
      policy_scope: 'RELAY_GLOBAL',
      model_profile_allowlist: [],
      provider_allowlist: [],
      max_output_tokens: null,
      rules: [],
      entropy_constraints: null,
    }
    const verdict = await judge({
      guardianPolicy,
      contract: () => ({ ...CONTRACT, enforcement_policy_hash: hash(guardianPolicy) }),
    })
    expect(verdict.trusted).toBe(true)
  })
})
