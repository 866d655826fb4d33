import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAppraisalPolicy } from '../../src/index.js'
import { codeOf } from '../evidence-folder.js'
import { examplePolicy, policyJson } from '../policies.js'

const schema = JSON.parse(
  readFileSync(new URL('../../policy.schema.json', import.meta.url), 'utf8'),
) as Record<string, unknown>
const validate = new Ajv({ strict: false, unicodeRegExp: false }).compile(schema)

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
type Path = readonly (string | number)[]

const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const pathsOf = (value: Json, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  const members: [string | number, Json][] = Array.isArray(value)
    ? value.map((item, at) => [at, item])
    : Object.entries(value)
  return [path, ...members.flatMap(([name, member]) => pathsOf(member, [...path, name]))]
}

const at = (document: Json, path: Path): Json =>
  path.reduce<Json>((value, name) => (value as Record<string | number, Json>)[name] ?? null, document)

const objectsOf = (document: Json): Path[] =>
  pathsOf(document).filter((path) => {
    const value = at(document, path)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  })

const GONE = Symbol('gone')

// A document with another value at a path, or without what stands there.
const changed = (document: Json, path: Path, value: Json | typeof GONE): Json => {
  const [name, ...rest] = path
  if (name === undefined) return value === GONE ? null : value
  const members = Object.entries(document as Record<string, Json>).filter(
    ([member]) => member !== String(name),
  )
  if (rest.length > 0) members.push([String(name), changed(at(document, [name]), rest, value)])
  else if (value !== GONE) members.push([String(name), value])
  if (!Array.isArray(document)) return Object.fromEntries(members)
  return members.toSorted(([left], [right]) => Number(left) - Number(right)).map(([, item]) => item)
}

const with_ = (path: Path, value: Json | typeof GONE, base: unknown): Json => changed(copy(base), path, value)

const isTaken = async (value: unknown): Promise<boolean> =>
  (await codeOf(() => parseAppraisalPolicy(value))) === null

const agree = async (value: unknown): Promise<boolean> => {
  const taken = await isTaken(value)
  expect({ value, taken: validate(value) }).toEqual({ value, taken })
  return taken
}

const zeros = '00'.repeat(48)
const spki = `MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE${'A'.repeat(128)}`

// The same policy with each of the other forms that a member can have.
const VARIANTS: readonly (readonly [string, Path, Json])[] = [
  ['id keys', ['id_key_digest'], { of_keys: [spki] }],
  ['author keys', ['author_key_digest'], { one_of: [zeros] }],
  ['an ID block', ['id_block'], { block: 'A'.repeat(128), auth: `${'A'.repeat(5461)}A==` }],
  ['a CRL required', ['crl'], { use: 'required', max_age_days: 30 }],
  ['no CRL used', ['crl'], { use: 'not_used', any: 'offline' }],
  ['a mask of unknown bits', ['platform_info', 'unknown_bits'], { allow: '0x40' }],
  ['mitigations', ['mitigations'], { launch: '0x0', current: '0xffffffffffffffff' }],
  ['a greatest age', ['leaf_age'], { max_days: 36500 }],
  ['denied chips', ['chip_id_denied'], ['ab'.repeat(64)]],
  ['a provider', ['csp_id'], { one_of: ['CN=cc-us-east-2.amazonaws.com'] }],
  ['the least SVN', ['guest_svn_minimum'], 4294967295],
  ['floors at launch', ['launch_tcb_minimum'], policyJson()['tcb_minimum'] as Json],
]

const BASES: readonly (readonly [string, Json])[] = [
  ['the example', copy(examplePolicy())],
  ["the vectors' policy", copy(policyJson())],
  ...VARIANTS.map(([name, path, value]) => [`with ${name}`, with_(path, value, policyJson())] as const),
]

const WRONG: readonly Json[] = [
  null,
  true,
  -1,
  1.5,
  256,
  4294967296,
  '',
  'any',
  'AB',
  'x'.repeat(257),
  [],
  [[]],
  {},
  { any: '' },
  { any: 'x'.repeat(256) },
  { equals: zeros, one_of: [zeros] },
]

describe('policy.schema.json', () => {
  it.each(BASES)('takes %s, as the parser does', async (_, base) => {
    expect(await agree(base)).toBe(true)
  })

  it.each(BASES)('agrees with the parser on %s with anything left out', async (_, base) => {
    for (const path of pathsOf(base)) await agree(with_(path, GONE, base))
  })

  it.each(BASES)('agrees with the parser on %s with anything replaced', async (_, base) => {
    for (const path of pathsOf(base)) for (const wrong of WRONG) await agree(with_(path, wrong, base))
  })

  it.each(BASES)('agrees with the parser on %s with a member too many anywhere', async (_, base) => {
    for (const path of objectsOf(base))
      expect(await agree(with_([...path, 'colour'], 'red', base))).toBe(false)
  })

  it.each(['measurement', 'guest_policy', 'debug', 'tcb_minimum', 'vmpl', 'platform_info'])(
    'agrees with the parser on what a waiver of %s lets a policy leave out',
    async (check) => {
      const waived = with_(['waive'], [{ check, reason: 'a test' }], policyJson())
      expect(await agree(waived)).toBe(true)
      for (const member of Object.keys(policyJson())) await agree(with_([member], GONE, waived))
      await agree(with_(['tcb_minimum', 'Turin'], GONE, waived))
    },
  )

  it.each([['Milan'], ['Genoa'], ['Turin']])('agrees with the parser on what %s needs', async (product) => {
    for (const member of [
      'tcb_minimum',
      'committed_tcb_minimum',
      'launch_tcb_minimum',
      'current_version_minimum',
    ]) {
      const floors = (
        member.includes('version') ? policyJson()['current_version_minimum'] : policyJson()['tcb_minimum']
      ) as Record<string, Json>
      const only = { [product]: floors[product] ?? null }
      const base = with_([member], only, policyJson())
      await agree(base)
      for (const other of ['Milan', 'Genoa', 'Turin']) await agree(with_(['products'], [other], base))
    }
    await agree(with_(['products'], [product], examplePolicy()))
  })

  it.each([256, 257])('counts the characters of a reason as the parser does: %i', async (length) => {
    const reason = { any: '𝄞'.repeat(length) }
    expect(await agree(with_(['host_data'], reason, policyJson()))).toBe(length === 256)
  })

  it('agrees with the parser on anything put anywhere', async () => {
    const base = copy(policyJson())
    const paths = pathsOf(base)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 }), async (path, value) => {
        await agree(with_(path, value as Json, base))
      }),
      { numRuns: 2000 },
    )
  })
})
