import { describe, expect, it } from 'vitest'
import {
  canonicalBytes,
  type JsonValue,
  MOST_PROVISION_BYTES,
  parseProviderKeys,
  parseProvisioned,
  parseProvisionRequest,
} from '../../src/index.js'
import { ProtocolError } from '../../src/errors.js'

const DIGEST = 'ab'.repeat(32)
const request = (provider_keys: JsonValue): JsonValue => ({ keyset_digest: DIGEST, provider_keys })
const named = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`provider-${String(at)}`, 'key']))

const codeOf = (parse: () => unknown): string => {
  try {
    parse()
  } catch (error) {
    if (error instanceof ProtocolError) return error.code
    throw error
  }
  return 'read'
}

describe('a provision request', () => {
  it('names keys by provider, or none', () => {
    expect(parseProvisionRequest(request({ claude: 'sk-1' })).provider_keys).toEqual({ claude: 'sk-1' })
    expect(parseProvisionRequest(request({})).provider_keys).toEqual({})
  })

  it('of the longest keys is within its bound', () => {
    const keys = Array.from({ length: 64 }, (_, at) => String(at).padEnd(64, 'x'))
    const longest = request(Object.fromEntries(keys.map((each) => [each, '"'.repeat(1024)])))
    expect(parseProvisionRequest(longest)).toEqual(longest)
    expect(canonicalBytes(longest).length).toBeLessThanOrEqual(MOST_PROVISION_BYTES)
  })

  it.each<[string, JsonValue]>([
    ['another member', { keyset_digest: DIGEST, provider_keys: {}, more: null }],
    ['no keyset', { provider_keys: {} }],
    ['a keyset that is no digest', { keyset_digest: DIGEST.slice(1), provider_keys: {} }],
    ['no keys', { keyset_digest: DIGEST }],
    ['keys in a list', request([])],
    ['a name in capitals', request({ Claude: 'sk-1' })],
    ['a name with an underscore', request({ constructor_: 'sk-1' })],
    ['an empty key', request({ claude: '' })],
    ['a key with a space', request({ claude: 'sk 1' })],
    ['a key that ends with a line feed', request({ claude: 'sk-1\n' })],
    ['a key over 1,024 characters', request({ claude: 'k'.repeat(1025) })],
    ['a key that is no text', request({ claude: 1 })],
    ['65 providers', request(named(65))],
    ['what is no object', 'sk-1'],
  ])('with %s is object_malformed', (_, value) => {
    expect(codeOf(() => parseProvisionRequest(value))).toBe('object_malformed')
  })

  it('that is refused is not quoted, whichever way names and keys are mixed up', () => {
    for (const value of [{ 'sk-SECRET!': 'claude' }, { claude: 'sk-SECRET !' }])
      expect(() => parseProviderKeys(value)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('SECRET') as string }),
      )
  })
})

describe('the answer to it', () => {
  it('names what is held and what is missing', () => {
    const answer = { held: ['claude'], missing: ['gpt'] }
    expect(parseProvisioned(answer)).toEqual(answer)
  })

  it.each<[string, JsonValue]>([
    ['without what is missing', { held: [] }],
    ['with a name that is none', { held: ['Claude'], missing: [] }],
    ['with a key in it', { held: [], missing: [], provider_keys: {} }],
  ])('%s is object_malformed', (_, value) => {
    expect(codeOf(() => parseProvisioned(value))).toBe('object_malformed')
  })
})
