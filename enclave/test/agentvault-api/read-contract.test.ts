import { hash, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readContract } from '../../src/agentvault-api/read-contract.js'
import { CEL_CONTRACT, MODEL_CONTRACT } from './artefacts.js'
import { contentHash } from './verify-as-agentvault.js'

const MOST = 65_536
const hashOf = (value: JsonValue): string | undefined => {
  const read = readContract(value, MOST)
  return 'refused' in read ? undefined : read.contractHash
}

const without = (value: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

test.each([MODEL_CONTRACT, CEL_CONTRACT])(
  'a contract with every base member keeps the hash of what was sent',
  (sent) => {
    expect(hashOf(sent)).toBe(contentHash(sent))
  },
)

test('an absent base member is hashed as null, and a later member that is null is not hashed', () => {
  const sent = without(MODEL_CONTRACT, 'timing_class')
  expect(hashOf(sent)).toBe(hash(MODEL_CONTRACT))
  expect(hashOf({ ...MODEL_CONTRACT, max_completion_tokens: null, enforcement_policy_hash: null })).toBe(
    hash(MODEL_CONTRACT),
  )
})

test('the hash that a builder leaves in the contract is checked, and is no part of it', () => {
  expect(hashOf({ ...MODEL_CONTRACT, contract_hash: hash(MODEL_CONTRACT) })).toBe(hash(MODEL_CONTRACT))
  expect(readContract({ ...MODEL_CONTRACT, contract_hash: '00'.repeat(32) }, MOST)).toMatchObject({
    refused: 'contract_refused',
    detail: expect.stringContaining('contract_hash') as string,
  })
})

test.each<[string, JsonValue]>([
  ['no object', []],
  ['nothing', null],
  ['an unknown member', { ...MODEL_CONTRACT, colour: 'red' }],
  ['three participants', { ...MODEL_CONTRACT, participants: ['a', 'b', 'c'] }],
  ['one participant', { ...MODEL_CONTRACT, participants: ['a'] }],
  ['one participant twice', { ...MODEL_CONTRACT, participants: ['a', 'a'] }],
  ['a participant with a space', { ...MODEL_CONTRACT, participants: ['a b', 'c'] }],
  ['a hash in capitals', { ...MODEL_CONTRACT, model_profile_hash: 'AB'.repeat(32) }],
  ['no schema', without(MODEL_CONTRACT, 'output_schema')],
  ['a schema that is text', { ...MODEL_CONTRACT, output_schema: 'object' }],
  ['more octets than allowed', { ...MODEL_CONTRACT, metadata: 'x'.repeat(MOST) }],
  ['half a budget', { ...MODEL_CONTRACT, entropy_budget_bits: 0.5 }],
])('a contract with %s is refused', (_, value) => {
  expect(readContract(value, MOST)).toMatchObject({ refused: 'contract_refused' })
})

test('whatever JSON comes, the answer is a contract or a refusal that holds none of its values', () => {
  const marked = fc.json().map((text) => text.replaceAll(/[a-z]{3,}/g, 'canary'))
  fc.assert(
    fc.property(marked, fc.constantFrom(...Object.keys(MODEL_CONTRACT)), (text, member) => {
      const value = parsed(text)
      const changed = { ...MODEL_CONTRACT, [member]: value }
      for (const read of [readContract(value, MOST), readContract(changed, MOST)])
        if ('refused' in read) expect(read.detail ?? '').not.toContain('canary')
        else expect(isJsonObject(read.contract)).toBe(true)
    }),
  )
})

function parsed(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
