import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type JsonObject,
  parseAgentVaultReceiptV1,
  signAgentVaultReceiptV1,
  verifyAgentVaultReceiptV1,
} from '../../src/index.js'
import { codeOf } from '../code-of.js'
import { FIRST, KEY, OTHER } from './examples.js'

const signed: JsonObject = signAgentVaultReceiptV1(FIRST, KEY)
const parse = (change: JsonObject): string => codeOf(() => parseAgentVaultReceiptV1({ ...signed, ...change }))

describe('a receipt of the first form', () => {
  it('that was signed is read back as it is, and holds under its key', () => {
    const read = parseAgentVaultReceiptV1(signed)
    expect(read).toEqual(signed)
    expect(
      codeOf(() => {
        verifyAgentVaultReceiptV1(read, KEY.publicKey)
      }),
    ).toBe('accepted')
  })

  it('has the members that only the relay knows', () => {
    const more = {
      execution_lane: 'API_MEDIATED',
      budget_chain: null,
      attestation: null,
      output_schema_hash: '0b'.repeat(32),
      signal_class: 'SESSION_COMPLETED',
      entropy_budget_bits: 8,
      prompt_template_hash: '0c'.repeat(32),
    } as const
    const again = signAgentVaultReceiptV1({ ...FIRST, ...more }, KEY)
    expect(parseAgentVaultReceiptV1(again)).toMatchObject(more)
  })

  it.each<[string, JsonObject]>([
    ['an unknown member', { note: 'x' }],
    ['an unknown version', { schema_version: '1.1.0' }],
    ['the signature of the second form', { signature: { alg: 'Ed25519', value: 'A'.repeat(86) } }],
    ['an upper-case signature', { signature: 'AB'.repeat(64) }],
    ['a short signature', { signature: 'ab'.repeat(63) }],
    ['one participant', { participant_ids: ['alice'] }],
    ['an unknown status', { status: 'TIMEOUT' }],
    ['an unknown lane', { execution_lane: 'GLASS_LOCAL' }],
    ['an absent contract hash written as null', { contract_hash: null }],
    ['a date without a zone', { session_start: '2026-03-05T12:00:00' }],
    ['a negative count', { output_entropy_bits: -1 }],
    ['a fraction of a bit', { output_entropy_bits: 0.5 }],
    ['a count beyond 32 bits', { output_entropy_bits: 2 ** 32 }],
    ['a session id that is no hash', { session_id: 'session' }],
    ['an unknown member of the budget', { budget_usage: { ...FIRST.budget_usage, note: 1 } }],
  ])('is refused with %s', (_, change) => {
    expect(parse(change)).toBe('object_malformed')
  })

  it.each(Object.keys(FIRST))('is refused without %s', (name) => {
    const { [name]: _, ...rest } = signed
    expect(codeOf(() => parseAgentVaultReceiptV1(rest))).toBe('object_malformed')
  })

  it.each([2 ** 53, -(2 ** 53), 1e21])('is refused where its output holds %d, deep inside', (number) => {
    expect(parse({ output: { rows: [[number]] } })).toBe('object_malformed')
  })

  it('is not signed where it could not be read', () => {
    expect(codeOf(() => signAgentVaultReceiptV1({ ...FIRST, output: 2 ** 60 }, KEY))).toBe('object_malformed')
  })

  it('does not hold under another key, nor with any member changed', () => {
    const read = parseAgentVaultReceiptV1(signed)
    expect(
      codeOf(() => {
        verifyAgentVaultReceiptV1(read, OTHER.publicKey)
      }),
    ).toBe('signature_invalid')
    const changed = { ...read, output: { overlap: 'NO' } }
    expect(
      codeOf(() => {
        verifyAgentVaultReceiptV1(changed, KEY.publicKey)
      }),
    ).toBe('signature_invalid')
  })

  it('is refused by its code, whatever the JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(signed)), (value, name) => {
        expect(['accepted', 'object_malformed']).toContain(parse({ [name]: value as never }))
      }),
    )
  })
})
