import { expect, test } from 'vitest'
import { parseRelayConfig } from '../src/config.js'

const CONFIG = {
  listen: { host: '127.0.0.1', port: 0 },
  proxy: 'http://127.0.0.1:8080',
  advertise_url: null,
  store_directory: 'store',
  policy_directory: '/policy',
  image_digest: null,
}
const BASE = '/etc/parley/relay.json'

test('relative directories are those beside the file', () => {
  const config = parseRelayConfig(
    {
      ...CONFIG,
      collateral_directory: 'amd',
      registry_directory: '../registry',
      provider_keys: { claude: 'keys/claude' },
    },
    'software',
    BASE,
  )
  expect(config).toEqual({
    ...CONFIG,
    profile: 'software',
    store_directory: '/etc/parley/store',
    collateral_directory: '/etc/parley/amd',
    registry_directory: '/etc/registry',
    provider_keys: { claude: '/etc/parley/keys/claude' },
    previous: null,
  })
})

test.each([
  ['no object', []],
  ['an unknown member', { ...CONFIG, verbose: true }],
  ['a profile', { ...CONFIG, profile: 'software' }],
  ['an unknown member of listen', { ...CONFIG, listen: { ...CONFIG.listen, tls: true } }],
  ['a port beyond 65535', { ...CONFIG, listen: { host: '127.0.0.1', port: 65_536 } }],
  ['a port as text', { ...CONFIG, listen: { host: '127.0.0.1', port: '80' } }],
  ['an empty host', { ...CONFIG, listen: { host: '', port: 80 } }],
  ['a proxy that is no URL', { ...CONFIG, proxy: 'proxy' }],
  ['a proxy of another scheme', { ...CONFIG, proxy: 'file:///proxy' }],
  ['a proxy with a path', { ...CONFIG, proxy: 'http://proxy/path' }],
  ['a proxy with a password', { ...CONFIG, proxy: 'http://a:b@proxy' }],
  ['an advertised URL with a query', { ...CONFIG, advertise_url: 'http://relay/?a' }],
  ['an empty directory', { ...CONFIG, store_directory: '' }],
  ['a registry that is null', { ...CONFIG, registry_directory: null }],
  ['an image digest in capitals', { ...CONFIG, image_digest: 'A'.repeat(64) }],
  ['a key of a provider in upper case', { ...CONFIG, provider_keys: { Claude: 'key' } }],
  ['a key instead of its file', { ...CONFIG, provider_keys: { claude: null } }],
  ['somebody to erase who has no DID', { ...CONFIG, erase: ['bob'] }],
  ['a short digest of an earlier keyset', { ...CONFIG, previous: 'ab' }],
])('a configuration with %s is refused as config_malformed', (_, value) => {
  expect(() => parseRelayConfig(value, 'software', BASE)).toThrow(
    expect.objectContaining({ code: 'config_malformed' }),
  )
})

test.each(['listen', 'proxy', 'advertise_url', 'store_directory', 'policy_directory', 'image_digest'])(
  'a configuration without %s is refused as config_malformed',
  (member) => {
    const rest = Object.fromEntries(Object.entries(CONFIG).filter(([name]) => name !== member))
    expect(() => parseRelayConfig(rest, 'software', BASE)).toThrow(
      expect.objectContaining({ code: 'config_malformed' }),
    )
  },
)

test.each(['constructor', 'prototype'])(
  'a key of a provider that is called %s is not passed over',
  (name) => {
    const config = { ...CONFIG, provider_keys: { [name]: 'key' } }
    const { provider_keys } = parseRelayConfig(config, 'software', BASE)
    expect(Object.entries(provider_keys)).toEqual([[name, '/etc/parley/key']])
  },
)

test('the confidential profile takes no key from a file, since its host would own it', () => {
  const parse = (provider_keys: Record<string, string>) =>
    parseRelayConfig({ ...CONFIG, provider_keys }, 'confidential', BASE)
  expect(() => parse({ claude: 'key' })).toThrow(expect.objectContaining({ code: 'config_malformed' }))
  expect(parse({}).provider_keys).toEqual({})
})

const DID = 'did:oas:self:agent:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX'

test('the operator of a software relay may have somebody erased', () => {
  expect(parseRelayConfig({ ...CONFIG, erase: [DID] }, 'software', BASE).erase).toEqual([DID])
})

test('that of a confidential one may not: which records go would tell whose they were', () => {
  expect(() => parseRelayConfig({ ...CONFIG, erase: [DID] }, 'confidential', BASE)).toThrow(
    expect.objectContaining({ code: 'config_malformed' }),
  )
})

const TPM = { device: '/dev/tpmrm0', event_log: 'log', key: 'rsa', issuers: null }

test('a TPM is named by its device, its log, its key, and the issuers of its certificate', () => {
  const { tpm } = parseRelayConfig(
    { ...CONFIG, tpm: { ...TPM, issuers: 'issuers.pem' } },
    'confidential',
    BASE,
  )
  expect(tpm).toEqual({
    device: '/dev/tpmrm0',
    event_log: '/etc/parley/log',
    key: 'rsa',
    issuers: '/etc/parley/issuers.pem',
  })
})

test.each([
  ['without a device', { event_log: 'log', key: 'rsa', issuers: null }],
  ['without a word on issuers', { device: '/dev/tpm0', event_log: 'log', key: 'rsa' }],
  ['with a key that it does not have', { ...TPM, key: 'ed25519' }],
  ['with an unknown member', { ...TPM, simulate: true }],
  ['that is null', null],
])('a TPM %s is config_malformed', (_, tpm) => {
  expect(() => parseRelayConfig({ ...CONFIG, tpm }, 'confidential', BASE)).toThrow(
    expect.objectContaining({ code: 'config_malformed' }) as Error,
  )
})
