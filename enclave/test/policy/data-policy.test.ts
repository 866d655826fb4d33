import { CLOSED_DATA_POLICY, checkDataFlow, checkEgress, type DataPolicy } from '@parley/guardian'
import { type JsonObject, parseJson } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { loadPolicyBundle, readPolicyBundle } from '../../src/policy-bundle.js'
import { readDataPolicy } from '../../src/policy/data-policy.js'
import { readPolicyFiles } from '../../src/policy/policy-files.js'
import type { Provider } from '../../src/policy/providers.js'
import { bytes, POLICY_DIRECTORY } from '../boot.js'
import { providerRow } from './provider-row.js'

const malformed = expect.objectContaining({ code: 'policy_malformed' }) as Error
const shipped = () => new Map(readPolicyFiles(POLICY_DIRECTORY))
const object = (path: string) => parseJson(shipped().get(path) ?? bytes('')) as JsonObject
const file = (path: string, change: object) => bytes(JSON.stringify({ ...object(path), ...change }))
const rowOf = (id: string, locality: string, egress: string) => ({ id, locality, egress })
const engine = (id: string, data: DataPolicy) => checkDataFlow(data, { label: 'PUBLIC', engine: id })

test('the shipped bundle lets data of every label go to the evaluators inside, and nothing go out', () => {
  const { data } = loadPolicyBundle(POLICY_DIRECTORY, 'confidential')
  for (const id of ['cel', 'local'])
    expect(checkDataFlow(data, { label: 'SECRET', engine: id })).toMatchObject({ ok: true })
  expect(checkEgress(data, { host: 'api.example.com', port: 443 }).ok).toBe(false)
})

test('what a bundle does not say is closed', () => {
  expect(readDataPolicy(new Map(), [])).toEqual(CLOSED_DATA_POLICY)
  const files = shipped()
  for (const path of ['engines.json', 'residency.json', 'egress.json']) files.delete(path)
  expect(readPolicyBundle(files, 'software').data).toEqual(CLOSED_DATA_POLICY)
})

test.each(['engines.json', 'residency.json', 'egress.json'])(
  'a bundle whose %s holds one member more is refused as policy_malformed',
  (path) => {
    const files = shipped().set(path, file(path, { note: 1 }))
    expect(() => readPolicyBundle(files, 'software')).toThrow(malformed)
    expect(() => readPolicyBundle(files.set(path, bytes('[]')), 'software')).toThrow(malformed)
  },
)

test.each(['engines.json', 'residency.json', 'egress.json'])('%s counts for the hash of a bundle', (path) => {
  const before = readPolicyBundle(shipped(), 'software').hash
  const other = shipped().set(path, bytes(`${JSON.stringify(object(path))} `))
  expect(readPolicyBundle(other, 'software').hash).not.toBe(before)
})

describe('A2A-27: an engine that bears a provider’s name', () => {
  const read = (engines: readonly object[], providers: readonly Provider[]) => {
    const lists = { engines, allowed_engines: [], forbid_engines: [] }
    return readDataPolicy(new Map([['engines.json', file('engines.json', lists)]]), providers)
  }
  const local = providerRow({ name: 'inside', kind: 'local', host: '127.0.0.1', api_key: 'none' })

  test('is what the provider is', () => {
    const engines = [rowOf('main', 'us_cloud', 'external'), rowOf('inside', 'local', 'none')]
    expect(read(engines, [providerRow({}), local]).engines.engines).toEqual(engines)
  })

  test.each([
    ['a provider elsewhere that is called local', 'main', 'local', 'none'],
    ['a provider elsewhere that is called local, in a network', 'main', 'local', 'local'],
    ['a provider inside that is called a cloud', 'inside', 'eu_cloud', 'external'],
    ['cel that is called a cloud', 'cel', 'eu_cloud', 'external'],
  ])('%s is refused as policy_malformed', (_, id, locality, egress) => {
    expect(() => read([rowOf(id, locality, egress)], [providerRow({}), local])).toThrow(malformed)
  })
})

test('A2A-30: one line puts EU_PRODUCTION in force, and then an engine and a host elsewhere are refused', () => {
  const engines = [rowOf('main', 'us_cloud', 'external'), rowOf('near', 'eu_cloud', 'external')]
  const hosts = [
    { host: 'api.example.com', port: 443, region: 'us' },
    { host: 'api.example.eu', port: 443, region: 'eu' },
  ]
  const files = shipped()
    .set('engines.json', file('engines.json', { engines, allowed_engines: ['main', 'near'] }))
    .set('egress.json', file('egress.json', { allowed_hosts: hosts }))
  const reach = (data: DataPolicy) => hosts.map((host) => checkEgress(data, host).ok)
  const { data: open } = readPolicyBundle(files, 'software')
  expect([engine('main', open).ok, engine('near', open).ok, ...reach(open)]).toEqual(new Array(4).fill(true))
  files.set('residency.json', file('residency.json', { preset: 'EU_PRODUCTION' }))
  const { data } = readPolicyBundle(files, 'software')
  expect(engine('main', data)).toMatchObject({ ok: false, code: 'engine_not_resident' })
  expect(engine('near', data).ok).toBe(true)
  expect(reach(data)).toEqual([false, true])
})
