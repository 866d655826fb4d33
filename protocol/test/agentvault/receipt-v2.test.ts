import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type JsonObject,
  parseAgentVaultReceiptV2,
  signAgentVaultReceiptV2,
  verifyAgentVaultReceiptV2,
} from '../../src/index.js'
import { codeOf } from '../code-of.js'
import { SECOND, KEY, OTHER } from './examples.js'

const signed: JsonObject = signAgentVaultReceiptV2(SECOND, KEY)
const parse = (change: JsonObject): string => codeOf(() => parseAgentVaultReceiptV2({ ...signed, ...change }))

describe('a receipt of the second form', () => {
  it('that was signed is read back as it is, and holds under its key', () => {
    const read = parseAgentVaultReceiptV2(signed)
    expect(read).toEqual(signed)
    expect(read.signature).toMatchObject({ alg: 'Ed25519', signed_fields: 'ALL_EXCEPT_SIGNATURE' })
    expect(
      codeOf(() => {
        verifyAgentVaultReceiptV2(read, KEY.publicKey)
      }),
    ).toBe('accepted')
  })

  it('may say that there is no profile, which their published schema refuses', () => {
    const preflight_bundle = {
      policy_hash: '0b'.repeat(32),
      prompt_template_hash: '0c'.repeat(32),
      model_profile_hash: 'none',
      schema_hash: '08'.repeat(32),
      enforcement_parameters: { max_completion_tokens: 4096 },
    }
    expect(parse({ commitments: { ...SECOND.commitments, preflight_bundle } })).toBe('accepted')
  })

  it.each<[string, JsonObject]>([
    ['an unknown member', { note: 'x' }],
    ['version 2.0.0', { receipt_schema_version: '2.0.0' }],
    ['another canonicalization', { receipt_canonicalization: 'JCS' }],
    ['the signature of the first form', { signature: 'ab'.repeat(64) }],
    [
      'an algorithm that nothing of theirs signs with',
      { signature: { alg: 'ES256', value: 'A'.repeat(86) } },
    ],
    ['a padded signature', { signature: { alg: 'Ed25519', value: `${'A'.repeat(86)}==` } }],
    [
      'a signature over some of its members',
      { signature: { alg: 'Ed25519', value: 'A'.repeat(86), signed_fields: 'SOME' } },
    ],
    ['an unknown level', { assurance_level: 'CERTIFIED' }],
    ['an empty session id', { session_id: '' }],
    ['an unknown claim', { claims: { trusted: true } }],
    ['an unknown commitment', { commitments: { ...SECOND.commitments, note: 'x' } }],
    [
      'an input hashed otherwise',
      {
        commitments: {
          ...SECOND.commitments,
          input_commitments: [
            {
              participant_id: 'alice',
              input_hash: '0b'.repeat(32),
              hash_alg: 'SHA-512',
              canonicalization: 'CANONICAL_JSON_V1',
            },
          ],
        },
      },
    ],
    ['a transcript of half the size', { tee_attestation: { transcript_hash_hex: '0b'.repeat(32) } }],
    ['an absent attestation written as null', { tee_attestation: null }],
    ['a fraction of a bit', { claims: { channel_capacity_bits_upper_bound: 0.5 } }],
  ])('is refused with %s', (_, change) => {
    expect(parse(change)).toBe('object_malformed')
  })

  it.each(Object.keys(SECOND))('is refused without %s', (name) => {
    const { [name]: _, ...rest } = signed
    expect(codeOf(() => parseAgentVaultReceiptV2(rest))).toBe('object_malformed')
  })

  it('is refused where its output holds an integer that a double can not tell from its neighbour', () => {
    expect(parse({ commitments: { ...SECOND.commitments, output: [{ n: 2 ** 53 }] } })).toBe(
      'object_malformed',
    )
  })

  it('does not hold under another key, nor with any member changed', () => {
    const read = parseAgentVaultReceiptV2(signed)
    expect(
      codeOf(() => {
        verifyAgentVaultReceiptV2(read, OTHER.publicKey)
      }),
    ).toBe('signature_invalid')
    const changed = { ...read, issued_at: '2026-03-06T12:00:04Z' }
    expect(
      codeOf(() => {
        verifyAgentVaultReceiptV2(changed, KEY.publicKey)
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
