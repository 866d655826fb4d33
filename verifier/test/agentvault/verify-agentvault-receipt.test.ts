import {
  hash,
  type JsonObject,
  parseJson,
  signAgentVaultReceiptV1,
  signAgentVaultReceiptV2,
  toHex,
  utf8,
} from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIRST, HELD, KEYS, SECOND } from '../../../scripts/src/agentvault-vectors/session.js'
import { verifyAgentVaultReceipt } from '../../src/agentvault/verify-agentvault-receipt.js'
import type { Verdict } from '../../src/verdict.js'
import { verifyReceiptFile } from '../../src/verify-receipt.js'
import { failures, notRun } from '../judge.js'

const key = KEYS.relay.publicKey
const first: JsonObject = signAgentVaultReceiptV1(FIRST, KEYS.relay)
const second: JsonObject = signAgentVaultReceiptV2(SECOND, KEYS.relay)
const verify = (receipt: JsonObject, artefacts = {}) =>
  verifyAgentVaultReceipt({ bytes: utf8(JSON.stringify(receipt)), key, artefacts, report: null })

describe('a receipt of AgentVault', () => {
  it('of the first form shows its output and no more than SELF_ASSERTED', async () => {
    expect(await verify(first)).toMatchObject({
      procedure: 'agentvault',
      trusted: true,
      exit_code: 0,
      assurance_level: 'SELF_ASSERTED',
      lane: null,
      session_id: FIRST.session_id,
      outcome: { status: 'COMPLETED', abort_class: null },
      output: HELD.output,
    })
  })

  it('says of each thing that nobody checked why not', async () => {
    expect(notRun(await verify(second))).toEqual({
      agentvault_key: 'not_named',
      agentvault_contract: 'artefact_not_given',
      agentvault_schema: 'artefact_not_given',
      agentvault_program: 'artefact_not_given',
      agentvault_policy: 'artefact_not_given',
      agentvault_profile: 'artefact_not_given',
      agentvault_inputs: 'inputs_not_open',
      agentvault_claims: 'asserted_only',
      agentvault_transcript: 'no_report',
      agentvault_report: 'no_report',
      hardware_genuine: 'no_report',
      hardware_expected: 'no_report',
      root_accepted: 'no_report',
    })
  })

  it('names no session and no output where its signature does not hold', async () => {
    const forged = signAgentVaultReceiptV2(SECOND, KEYS.stranger)
    expect(await verify(forged)).toMatchObject({
      trusted: false,
      assurance_level: null,
      session_id: null,
      outcome: null,
      output: null,
    })
  })

  it('may name another key of its operator, on which nothing rests', async () => {
    const operator = { ...SECOND.operator, operator_key_fingerprint: 'ab'.repeat(32) }
    const verdict = await verify(signAgentVaultReceiptV2({ ...SECOND, operator }, KEYS.relay))
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toMatchObject({ agentvault_operator: 'other_key_named' })
  })

  it('gives by the file alone what it gives without artefacts', async () => {
    const alone = verifyReceiptFile({ bytes: utf8(JSON.stringify(second)), key })
    expect(alone).toEqual(await verify(second))
  })

  it.each([
    ['first', first],
    ['second', second],
  ])('of the %s form is refused with any one character changed', (_, receipt) => {
    const text = JSON.stringify(receipt)
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`
      expect(verifyReceiptFile({ bytes: utf8(changed), key }).trusted).toBe(false)
    }
  })

  it.each([
    ['no JSON', 'receipt', 'json_malformed'],
    ['no object', '[]', 'object_malformed'],
    ['no version', '{}', 'object_malformed'],
    ['a member named twice', `{"receipt_id":"x",${JSON.stringify(second).slice(1)}`, 'json_malformed'],
  ])('is malformed with %s', async (_, text, code) => {
    const verdict = await verifyAgentVaultReceipt({ bytes: utf8(text), key, artefacts: {}, report: null })
    expect(failures(verdict)).toEqual({ agentvault_form: code })
    expect(verdict.exit_code).toBe(5)
  })

  it('never makes the verifier throw, whatever its members', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(first, second),
        fc.constantFrom(...Object.keys({ ...first, ...second })),
        fc.json(),
        async (receipt, name, value) => {
          const verdict = await verify({ ...receipt, [name]: parseJson(value) })
          expect([0, 4, 5]).toContain(verdict.exit_code)
        },
      ),
    )
  })
})

describe('a contract that its reader holds', () => {
  const under = (contract: JsonObject, receipt = SECOND): Promise<Verdict> => {
    const commitments = { ...receipt.commitments, contract_hash: hash(contract) }
    return verify(signAgentVaultReceiptV2({ ...receipt, commitments }, KEYS.relay), { contract })
  }

  it('may give its schema by hash alone', async () => {
    expect((await under({ ...HELD.contract, output_schema: {} })).trusted).toBe(true)
  })

  it('names participants in whatever order', async () => {
    expect((await under({ ...HELD.contract, participants: ['bob', 'alice'] })).trusted).toBe(true)
  })

  it('is compared with a receipt that names nobody, as theirs do where a session failed', async () => {
    const commitments = { ...SECOND.commitments, input_commitments: [] }
    expect((await under(HELD.contract, { ...SECOND, commitments })).trusted).toBe(true)
  })

  it.each<[string, JsonObject, string]>([
    ['another program', { prompt_template_hash: 'ab'.repeat(32) }, 'contract_mismatch'],
    ['another schema', { output_schema: { properties: {} } }, 'contract_mismatch'],
    [
      'another schema by hash',
      { output_schema: {}, output_schema_hash: 'ab'.repeat(32) },
      'contract_mismatch',
    ],
    ['another policy', { enforcement_policy_hash: 'ab'.repeat(32) }, 'contract_mismatch'],
    ['another profile', { model_profile_hash: 'ab'.repeat(32) }, 'contract_mismatch'],
    ['other participants', { participants: ['alice', 'carol'] }, 'participants_mismatch'],
    ['another key', { relay_verifying_key_hex: toHex(KEYS.stranger.publicKey) }, 'receipt_key_not_pinned'],
  ])('does not match where it asks for %s than the receipt tells of', async (_, change, code) => {
    const verdict = await under({ ...HELD.contract, ...change })
    expect(failures(verdict)).toEqual({ agentvault_contract: code })
    expect(verdict.exit_code).toBe(4)
  })
})
