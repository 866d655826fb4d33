import { parseAppraisalPolicy } from '@parley/attestation'
import type { JsonValue } from '@parley/protocol'
import { beforeAll, expect, test } from 'vitest'
import { examplePolicy } from '../../../scripts/src/example-policy.js'
import { readProviders } from '../../src/policy/providers.js'
import { readPolicyBundle } from '../../src/policy-bundle.js'
import { readPolicyFiles } from '../../src/policy/policy-files.js'
import { bytes, POLICY_DIRECTORY } from '../boot.js'
import { makeTlsAuthority } from '../model/doubles/tls-authority.js'

const malformed = expect.objectContaining({ code: 'policy_malformed' }) as Error

let one: string
let two: string
let leaf: string

beforeAll(async () => {
  const authority = await makeTlsAuthority('One')
  one = authority.root
  two = (await makeTlsAuthority('Two')).root
  leaf = (await authority.issue('api.anthropic.com')).cert
})

const REMOTE = {
  name: 'claude',
  kind: 'anthropic',
  host: 'api.anthropic.com',
  port: 443,
  roots: ['web.pem'],
  account: 'acme-research',
  api_key: 'required',
}
const LOCAL = {
  name: 'llama',
  kind: 'local',
  host: '127.0.0.1',
  port: 8080,
  roots: [],
  account: 'none',
  api_key: 'none',
  model_file: { sha256: 'f1'.repeat(32), path: '/models/tiny.gguf' },
}
const NEITHER = { attested: null, model_file: null }

const bundle = (providers: JsonValue, roots: Record<string, string> = { 'web.pem': one }, more = {}) =>
  new Map([
    ['providers.json', bytes(JSON.stringify({ version: 'parley-providers-v1', providers, ...more }))],
    ...Object.entries(roots).map(([file, pem]) => [`providers/${file}`, bytes(pem)] as const),
  ])

test('a provider is read with its roots', () => {
  expect(readProviders(bundle([REMOTE, LOCAL]))).toEqual([
    { ...REMOTE, ...NEITHER, roots: [one] },
    { ...LOCAL, attested: null },
  ])
})

test('a file may hold several roots, and a provider several files', () => {
  const roots = { 'web.pem': one + two, 'more.pem': two }
  const [provider] = readProviders(bundle([{ ...REMOTE, roots: ['web.pem', 'more.pem'] }], roots))
  expect(provider?.roots).toEqual([one, two, two])
})

test('a bundle without providers.json, or with an empty list, has none', () => {
  expect(readProviders(new Map())).toEqual([])
  expect(readProviders(bundle([], {}))).toEqual([])
})

test('a policy bundle has a place for providers and their roots, and for nothing else of theirs', () => {
  const files = new Map([...readPolicyFiles(POLICY_DIRECTORY), ...bundle([REMOTE])])
  expect(readPolicyBundle(files, 'software').providers).toEqual([{ ...REMOTE, ...NEITHER, roots: [one] }])
  for (const path of ['providers/web.crt', 'providers/deep/web.pem', 'providers/Web.pem', 'web.pem'])
    expect(() => readPolicyBundle(new Map([...files, [path, bytes(one)]]), 'software')).toThrow(malformed)
})

test.each<[string, Record<string, JsonValue>]>([
  ['an unknown member', { url: 'https://a' }],
  ['an unknown kind', { kind: 'mistral' }],
  ['a name in upper case', { name: 'Claude' }],
  ['a host with a scheme', { host: 'https://api.anthropic.com' }],
  ['a host with a port', { host: 'api.anthropic.com:443' }],
  ['a host in upper case', { host: 'API.anthropic.com' }],
  ['a host of one label', { host: 'localhost' }],
  ['a host with a dot at the end', { host: 'api.anthropic.com.' }],
  ['a host with a wildcard', { host: '*.anthropic.com' }],
  ['an address as a host', { host: '10.0.0.1' }],
  ['loopback for a remote kind', { host: '127.0.0.1' }],
  ['an empty host', { host: '' }],
  ['port 0', { port: 0 }],
  ['a port as text', { port: '443' }],
  ['no root', { roots: [] }],
  ['a root outside its folder', { roots: ['../web.pem'] }],
  ['a root of another ending', { roots: ['web.crt'] }],
  ['a root that is missing', { roots: ['web.pem', 'none.pem'] }],
  ['an account with a space', { account: 'a b' }],
  ['no key', { api_key: 'none' }],
  ['a key in the file', { api_key: 'sk-0123' }],
])('a remote provider with %s is refused as policy_malformed', (_, change) => {
  expect(() => readProviders(bundle([{ ...REMOTE, ...change }]))).toThrow(malformed)
})

test.each(Object.keys(REMOTE))('a provider without %s is refused as policy_malformed', (member) => {
  const rest = Object.fromEntries(Object.entries(REMOTE).filter(([name]) => name !== member))
  expect(() => readProviders(bundle([rest]))).toThrow(malformed)
})

test.each<[string, Record<string, JsonValue>]>([
  ['a name as a host', { host: 'localhost' }],
  ['another machine as a host', { host: '10.0.0.1' }],
  ['a root', { roots: ['web.pem'] }],
  ['a key', { api_key: 'required' }],
])('a local provider with %s is refused as policy_malformed', (_, change) => {
  const roots = 'roots' in change ? { 'web.pem': one } : {}
  expect(() => readProviders(bundle([{ ...LOCAL, ...change }], roots))).toThrow(malformed)
})

const ATTESTED = {
  appraisal: 'chip.json',
  image_digest: 'aa'.repeat(32),
  policy_bundle_hash: 'bb'.repeat(32),
}
const chip = (): Record<string, string> => ({ 'chip.json': JSON.stringify(examplePolicy()) })

test('a provider that attests is read with what its evidence must show, and needs neither root nor key', () => {
  const bare = { ...REMOTE, roots: [], api_key: 'none', attested: ATTESTED }
  const [provider] = readProviders(bundle([bare], chip()))
  const { appraisal: _, ...release } = ATTESTED
  expect(provider?.attested).toEqual({ ...release, hardware: parseAppraisalPolicy(examplePolicy()) })
  const [both] = readProviders(bundle([{ ...REMOTE, attested: ATTESTED }], { ...chip(), 'web.pem': one }))
  expect(both).toMatchObject({ roots: [one], api_key: 'required', attested: release })
})

test.each<[string, JsonValue, Record<string, string>]>([
  ['an appraisal policy that is missing', ATTESTED, {}],
  ['one that is none', ATTESTED, { 'chip.json': '{}' }],
  ['one that is not JSON', ATTESTED, { 'chip.json': '{' }],
  ['one that nobody names', ATTESTED, { ...chip(), 'other.json': '{}' }],
  ['one outside its folder', { ...ATTESTED, appraisal: '../chip.json' }, chip()],
  ['one of another ending', { ...ATTESTED, appraisal: 'chip.pem' }, chip()],
  ['any image', { ...ATTESTED, image_digest: null }, chip()],
  ['an unknown member', { ...ATTESTED, simulated: true }, chip()],
])('a provider that attests with %s is refused as policy_malformed', (_, attested, files) => {
  expect(() => readProviders(bundle([{ ...REMOTE, attested }], { 'web.pem': one, ...files }))).toThrow(
    malformed,
  )
})

test.each<[string, JsonValue]>([
  ['no hash', { path: '/models/tiny.gguf' }],
  ['a hash in upper case', { sha256: 'F1'.repeat(32), path: null }],
  ['a relative path', { sha256: 'f1'.repeat(32), path: 'tiny.gguf' }],
  ['no word on its path', { sha256: 'f1'.repeat(32) }],
])('a model file with %s is refused as policy_malformed', (_, model_file) => {
  expect(() => readProviders(bundle([{ ...LOCAL, model_file }], {}))).toThrow(malformed)
})

test.each<[string, JsonValue]>([
  ['a local provider that attests', { ...LOCAL, attested: ATTESTED }],
  ['a local provider without a model file', Object.fromEntries(Object.entries(LOCAL).slice(0, -1))],
  [
    'a remote provider with a model file',
    { ...REMOTE, roots: [], api_key: 'none', attested: ATTESTED, model_file: LOCAL.model_file },
  ],
])('%s is refused as policy_malformed', (_, provider) => {
  expect(() => readProviders(bundle([provider], chip()))).toThrow(malformed)
})

test.each<[string, JsonValue, object]>([
  ['a name twice', [LOCAL, { ...LOCAL, port: 1 }], {}],
  ['no list', {}, {}],
  ['another version', [], { version: 'parley-providers-v2' }],
  ['an unknown member', [], { proxy: 'a' }],
])('a file with %s is refused as policy_malformed', (_, providers, more) => {
  expect(() => readProviders(bundle(providers, {}, more))).toThrow(malformed)
})

test('a root that no provider names is refused as policy_malformed', () => {
  expect(() => readProviders(bundle([LOCAL]))).toThrow(malformed)
  expect(() => readProviders(new Map([['providers/web.pem', bytes(one)]]))).toThrow(malformed)
})

test.each<[string, () => string]>([
  ['nothing', () => ''],
  ['a comment', () => `# a root\n${one}`],
  ['something after it', () => `${one}x`],
  ['a private key', () => one.replaceAll('CERTIFICATE', 'PRIVATE KEY')],
  ['a certificate that is cut', () => one.replace(/\n[^\n]+\n-----END/, '\n-----END')],
  ['a server’s own certificate', () => leaf],
])('a root file with %s is refused as policy_malformed', (_, pem) => {
  expect(() => readProviders(bundle([REMOTE], { 'web.pem': pem() }))).toThrow(malformed)
})
