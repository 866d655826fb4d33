import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkDataFlow, CLOSED_DATA_POLICY } from '@parley/guardian'
import { expect, test } from 'vitest'
import { readDataPolicy } from '../src/data-policy.js'
import { freshFolder } from './double/stage.js'

const SHIPPED = new URL('../../infra/policy/', import.meta.url)

/** A home with the shipped files, and one line of each changed. */
const stage = async (changes: Readonly<Record<string, object>> = {}, mode = 0o600) => {
  const folder = await freshFolder()
  for (const file of ['engines.json', 'residency.json', 'egress.json']) {
    const shipped = JSON.parse(await readFile(new URL(file, SHIPPED), 'utf8')) as object
    await writeFile(join(folder, file), JSON.stringify({ ...shipped, ...changes[file] }), { mode })
  }
  return folder
}

test('a home’s policy has the form of a relay’s', async () => {
  const policy = readDataPolicy(await stage())
  expect(checkDataFlow(policy, { label: 'SECRET', engine: 'cel' }).ok).toBe(true)
})

test('A2A-28: a home that says nothing permits nothing', async () => {
  expect(readDataPolicy(await freshFolder())).toEqual(CLOSED_DATA_POLICY)
})

test('A2A-30: under EU_PRODUCTION a home’s foreign engine gets no data of any label', async () => {
  const engines = {
    engines: [{ id: 'far', locality: 'us_cloud', egress: 'external' }],
    allowed_engines: ['far'],
  }
  const flow = { label: 'PUBLIC', engine: 'far' }
  expect(checkDataFlow(readDataPolicy(await stage({ 'engines.json': engines })), flow).ok).toBe(true)
  const folder = await stage({ 'engines.json': engines, 'residency.json': { preset: 'EU_PRODUCTION' } })
  expect(checkDataFlow(readDataPolicy(folder), flow)).toMatchObject({ code: 'engine_not_resident' })
})

test.each([
  ['engines.json', { allowed_engines: ['unknown'] }],
  ['residency.json', { preset: 'EU' }],
  ['egress.json', { default_action: 'allow' }],
])('a home whose %s is malformed permits nothing', async (file, change) => {
  const folder = await stage({ [file]: change })
  expect(() => readDataPolicy(folder)).toThrow(expect.objectContaining({ code: 'state_malformed' }))
})

test('a policy that others may write is not read', async () => {
  const folder = await stage({}, 0o666)
  expect(() => readDataPolicy(folder)).toThrow(expect.objectContaining({ code: 'file_not_private' }))
})
