import { readdirSync, readFileSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadRegistry, registryFiles } from '@parley/guardian'
import {
  contractHash,
  hash,
  type JsonObject,
  type JsonValue,
  parseContract,
  parseJson,
} from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { freshFolder } from '../double/stage.js'
import { play as playCommand } from './terminal.js'

const REGISTRY = fileURLToPath(new URL('../../../registry', import.meta.url))
const play = (...argv: string[]) => playCommand(['contract', ...argv])
const json = async (...argv: string[]): Promise<JsonObject> => {
  const { code, out, err } = await play(...argv, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return parseJson(out) as JsonObject
}
const built = async (...argv: string[]) => {
  const { code, out } = await play('build', ...argv)
  expect(code).toBe(0)
  return parseContract(parseJson(out))
}
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')
const shippedNames = readdirSync(join(REGISTRY, 'examples')).sort()

describe('parley contract list', () => {
  test('has a line for each offer, and the root of the registry as JSON', async () => {
    const { code, out } = await play('list')
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(shippedNames.length)
    const { registry_root, artefacts } = await json('list')
    expect(registry_root).toMatch(/^[0-9a-f]{64}$/)
    expect(Object.keys(artefacts as JsonObject)).toEqual(['contract_offer'])
  })

  test('lists every kind if asked', async () => {
    const { artefacts } = await json('list', '--all')
    expect(Object.keys(artefacts as JsonObject)).toHaveLength(5)
  })

  test('takes the registry of the option before that of the environment', async () => {
    const env = { PARLEY_REGISTRY: '/nowhere' }
    expect(await playCommand(['contract', 'list'], { env })).toMatchObject({ code: 1, out: '' })
    expect(await playCommand(['contract', 'list', '--registry', REGISTRY], { env })).toMatchObject({
      code: 0,
    })
  })
})

describe('parley contract build', () => {
  test.each(shippedNames)(
    '%s gives a contract that check admits, with its budget as its bits',
    async (name) => {
      const folder = await freshFolder()
      const file = join(folder, 'contract.json')
      expect(await play('build', name, '--out', file)).toMatchObject({ code: 0, out: '', err: '' })
      const { admitted, entropy_budget_bits, capacity, fields } = await json('check', file)
      expect({ admitted, bits: (capacity as JsonObject)['bits'] }).toEqual({
        admitted: true,
        bits: entropy_budget_bits,
      })
      expect((fields as readonly JsonObject[])[0]).toMatchObject({ pointer: '' })
    },
  )

  test('gives the contract of the shipped file, whichever way the offer is named', async () => {
    const shipped = parseContract(parseJson(readFileSync(join(REGISTRY, 'contracts/negotiation-band.json'))))
    const { artefacts } = await json('list')
    const offers = (artefacts as JsonObject)['contract_offer'] as readonly JsonObject[]
    const entry = offers.find(({ id }) => id === 'parley.negotiation-band.v1')
    const content = textOf(entry?.['hash'])
    for (const name of [
      'negotiation-band',
      'negotiation-band-v1',
      'negotiation-band@latest',
      content,
      `sha256:${content}`,
    ])
      expect(contractHash(await built(name))).toBe(contractHash(shipped))
  })

  test('names the participants that were asked for, in role order', async () => {
    const contract = await built('set-overlap', '--participants', 'alice,bob')
    expect(contract.participants).toEqual(['alice', 'bob'])
  })

  test('evaluates inside with the local profile, at a provider with another', async () => {
    expect(await built('mediation')).toMatchObject({ evaluator: 'llm' })
    expect(await built('mediation', '--profile', 'parley-local-v1')).toMatchObject({ evaluator: 'local' })
  })

  test.each([
    ['an unknown offer', ['nothing'], 1],
    ['a schema by its name', ['parley_set_overlap_v1'], 1],
    ['one participant', ['set-overlap', '--participants', 'alice'], 5],
    ['one participant twice', ['set-overlap', '--participants', 'alice,alice'], 5],
    ['a model for a program', ['set-overlap', '--profile', 'parley-local-v1'], 5],
    ['a profile that is not there', ['mediation', '--profile', 'parley-local-v9'], 5],
    ['no offer', [], 1],
  ])('refuses %s', async (_, argv, code) => {
    expect(await play('build', ...argv)).toMatchObject({ code, out: '' })
  })

  test('does not write over a file', async () => {
    const file = join(await freshFolder(), 'contract.json')
    await writeFile(file, 'mine')
    expect(await play('build', 'set-overlap', '--out', file)).toMatchObject({ code: 1, out: '' })
    expect(await readFile(file, 'utf8')).toBe('mine')
  })
})

describe('parley contract show', () => {
  test.each(shippedNames)('%s says what its codes mean, and prints its program', async (name) => {
    const { code, out } = await play('show', name)
    expect(code).toBe(0)
    const { offer, program } = await json('show', name)
    const { metadata_defaults, contract_offer_id } = offer as JsonObject
    expect(out).toContain(textOf(contract_offer_id))
    for (const codes of Object.values((metadata_defaults as JsonObject)['codes'] as JsonObject))
      for (const [word, says] of Object.entries(codes as JsonObject))
        expect(out).toContain(`  ${word}  ${textOf(says)}`)
    const { source, system_instruction } = program as JsonObject
    expect(out).toContain(textOf(source ?? system_instruction).split('\n')[0])
  })
})

/** A registry of one's own, and a folder in it to write a contract in. */
const workshop = async () => {
  const folder = await freshFolder()
  const registry = join(folder, 'registry')
  await cp(REGISTRY, registry, { recursive: true })
  const deal = join(folder, 'my-deal')
  expect(await play('new', 'my-deal', '--dir', deal)).toMatchObject({ code: 0, out: `${deal}\n` })
  const edit = async (change: (offer: JsonObject) => JsonObject): Promise<void> => {
    const file = join(deal, 'offer.json')
    await writeFile(file, JSON.stringify(change(parseJson(await readFile(file)) as JsonObject)))
  }
  return { registry, deal, edit }
}
const filesIn = (registry: string) =>
  registryFiles({
    names: (folder) => readdirSync(join(registry, folder)),
    read: (path) => new Uint8Array(readFileSync(join(registry, path))),
  })

describe('a contract folder', () => {
  test.each(shippedNames)('that starts from %s is checked, shown and built as it stands', async (from) => {
    const deal = join(await freshFolder(), 'my-deal')
    expect(await play('new', 'my-deal', '--from', from, '--dir', deal)).toMatchObject({ code: 0 })
    expect(await json('check', deal)).toMatchObject({ admitted: true })
    expect(await play('show', deal)).toMatchObject({ code: 0 })
    const [own, model] = [await built(deal), await built(from)]
    expect({ ...own, output_schema_id: '', metadata: null }).toEqual({
      ...model,
      output_schema_id: '',
      metadata: null,
    })
  })

  test('is refused by check, with figures and the place, once it tells more than its budget', async () => {
    const { deal, edit } = await workshop()
    await edit((offer) => ({ ...offer, entropy_budget_bits: 5 }))
    const { code, out } = await play('check', deal)
    expect(code).toBe(4)
    expect(out).toMatch(/verdict {4}REFUSED, capacity_exceeds_budget at \/entropy_budget_bits\n/)
    const asJson = await play('check', deal, '--json')
    expect(asJson.code).toBe(4)
    expect(parseJson(asJson.out)).toMatchObject({
      admitted: false,
      code: 'capacity_exceeds_budget',
      pointer: '/entropy_budget_bits',
    })
  })

  test('may name a policy of the registry', async () => {
    const { deal, edit } = await workshop()
    await edit((offer) => ({ ...offer, policy_ref: 'bounded-signal' }))
    expect(await json('check', deal)).toMatchObject({ admitted: true })
  })

  test.each<[string, (offer: JsonObject) => JsonObject, number]>([
    ['an unknown policy', (offer) => ({ ...offer, policy_ref: 'none' }), 1],
    ['no policy', ({ policy_ref: _, ...offer }) => offer, 1],
    ['an unknown member', (offer) => ({ ...offer, note: '' }), 5],
    ['no program', ({ program: _, ...offer }) => offer, 1],
    [
      'a program of another language',
      (offer) => ({ ...offer, program: { language: 'js', cost_limit: 1 } }),
      5,
    ],
  ])('with %s is refused', async (_, change, code) => {
    const { deal, edit } = await workshop()
    await edit(change)
    expect(await play('build', deal)).toMatchObject({ code, out: '' })
  })

  test('without one of its files is refused', async () => {
    const { deal } = await workshop()
    await rm(join(deal, 'program.cel'))
    expect(await play('check', deal)).toMatchObject({ code: 1, out: '' })
  })

  test('is not made where something is, nor under a name that no file should have', async () => {
    const { deal } = await workshop()
    expect(await play('new', 'my-deal', '--dir', deal)).toMatchObject({ code: 1 })
    expect(await play('new', '../my-deal')).toMatchObject({ code: 1 })
    expect(await play('new', 'My Deal')).toMatchObject({ code: 1 })
  })
})

describe('parley contract publish', () => {
  test('makes a registry that is whole, in which the contract has a name and everything else its own', async () => {
    const { registry, deal, edit } = await workshop()
    await edit((offer) => ({ ...offer, entropy_budget_bits: 7 }))
    const before = loadRegistry(filesIn(registry))
    const { code, out } = await play('publish', deal, '--registry', registry)
    expect(code).toBe(0)
    const after = loadRegistry(filesIn(registry))
    const { published, registry_root } = parseJson(out) as { published: JsonObject; registry_root: string }
    expect(registry_root).toBe(after.rootHash)
    expect(registry_root).not.toBe(before.rootHash)
    expect(`sha256:${after.resolve('contract_offer', 'my-deal-v1') ?? ''}`).toBe(published['contract_offer'])
    for (const kind of ['schema', 'policy', 'profile', 'program', 'contract_offer'] as const)
      expect(after.list(kind)).toEqual(expect.arrayContaining([...before.list(kind)]))
    const own = await play('build', 'my-deal', '--registry', registry)
    expect(parseJson(own.out)).toEqual(parseJson((await play('build', deal)).out))
  })

  test('a second time changes nothing', async () => {
    const { registry, deal } = await workshop()
    const first = await play('publish', deal, '--registry', registry)
    expect(await play('publish', deal, '--registry', registry)).toEqual(first)
  })

  test('does not let another contract take a name and version, and writes nothing then', async () => {
    const { registry, deal, edit } = await workshop()
    await play('publish', deal, '--registry', registry)
    const before = loadRegistry(filesIn(registry)).rootHash
    await edit((offer) => ({ ...offer, entropy_budget_bits: 8 }))
    expect(await play('publish', deal, '--registry', registry)).toMatchObject({ code: 1, out: '' })
    expect(loadRegistry(filesIn(registry)).rootHash).toBe(before)
  })

  test('lets a next version stand beside the first, and the channel lead to it', async () => {
    const { registry, deal, edit } = await workshop()
    await play('publish', deal, '--registry', registry)
    await edit((offer) => ({
      ...offer,
      contract_offer_id: 'my-deal.v2',
      metadata_defaults: { ...(offer['metadata_defaults'] as JsonObject), version: '2' },
    }))
    expect(await play('publish', deal, '--registry', registry)).toMatchObject({ code: 0 })
    const after = loadRegistry(filesIn(registry))
    const latest = after.resolve('contract_offer', 'my-deal@latest')
    expect(latest).toBe(after.resolve('contract_offer', 'my-deal-v2'))
    expect(latest).not.toBe(after.resolve('contract_offer', 'my-deal-v1'))
  })

  test('writes nothing for a contract that cannot be built', async () => {
    const { registry, deal, edit } = await workshop()
    await edit((offer) => ({ ...offer, roles: ['one', 'two', 'three'] }))
    const before = await readdir(join(registry, 'contract_offers'))
    expect(await play('publish', deal, '--registry', registry)).toMatchObject({ code: 5 })
    expect(await readdir(join(registry, 'contract_offers'))).toEqual(before)
  })
})

describe('parley contract hash', () => {
  test('is the hash that a receipt names, and of any other file with --artefact', async () => {
    const folder = await freshFolder()
    const [file, other] = [join(folder, 'contract.json'), join(folder, 'other.json')]
    await play('build', 'reference-check', '--out', file)
    const contract = parseContract(parseJson(await readFile(file)))
    expect(await play('hash', file)).toMatchObject({ code: 0, out: `${contractHash(contract)}\n` })
    expect(await json('hash', file)).toEqual({ hash: contractHash(contract) })
    await writeFile(other, '{"b": 1, "a": [true]}')
    expect(await play('hash', other)).toMatchObject({ code: 5, out: '' })
    expect(await play('hash', other, '--artefact')).toMatchObject({ out: `${hash({ a: [true], b: 1 })}\n` })
  })
})

describe('parley contract check', () => {
  test('holds a contract against the policy that it names, or the one that is given', async () => {
    const folder = await freshFolder()
    const [file, policy] = [join(folder, 'contract.json'), join(folder, 'policy.json')]
    const contract = await built('set-overlap')
    const { enforcement_policy_hash, ...rest } = contract
    await writeFile(file, JSON.stringify(rest))
    expect(await json('check', file)).toMatchObject({ guardian_policy_hash: enforcement_policy_hash })
    await writeFile(file, JSON.stringify({ ...rest, enforcement_policy_hash: 'ab'.repeat(32) }))
    expect(await play('check', file)).toMatchObject({ code: 1, out: '' })
    await writeFile(policy, '{}')
    expect(await play('check', file, '--guardian', policy)).toMatchObject({ code: 5, out: '' })
  })

  test('explains the capacity field by field', async () => {
    const file = join(await freshFolder(), 'contract.json')
    await play('build', 'scheduling-overlap', '--out', file)
    const { out } = await play('check', file)
    expect((await play('check', 'scheduling-overlap')).out).toBe(out)
    expect(out).toMatch(/outputs {4}60, with the ways to end without one 64\n/)
    expect(out).toMatch(/\/properties\/days {2}4 values, 2\.000 bits/)
    expect(out).toMatch(/\/properties\/first {2}15 values, 3\.907 bits/)
  })

  test('refuses what is no contract as malformed', async () => {
    const file = join(await freshFolder(), 'contract.json')
    await writeFile(file, JSON.stringify({ ...(await built('set-overlap')), contract_hash: 'ab'.repeat(32) }))
    expect(await play('check', file)).toMatchObject({ code: 5, out: '' })
  })
})
