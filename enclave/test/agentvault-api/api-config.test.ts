import { expect, test } from 'vitest'
import { parseApiConfig } from '../../src/agentvault-api/api-config.js'

const CONFIG = { agents_file: 'agents.json', signing_seed_file: '/keys/seed' }
const BASE = '/etc/parley/agentvault.json'

test('what is not said is AgentVault’s own: loopback, its port, its times', () => {
  expect(parseApiConfig(CONFIG, BASE)).toEqual({
    agents_file: '/etc/parley/agents.json',
    signing_seed_file: '/keys/seed',
    listen: { host: '127.0.0.1', port: 3100 },
    registry_directory: null,
    provider_keys: {},
    default_provider: null,
    operator_id: 'parley-relay',
    dev: false,
    session_ttl_secs: 600,
    processing_ttl_secs: 300,
    invite_ttl_secs: 604_800,
    max_completion_tokens: 4096,
    requests_per_minute: 6000,
  })
})

test('every path is relative to the file', () => {
  const config = parseApiConfig(
    { ...CONFIG, registry_directory: 'registry', provider_keys: { main: 'keys/main' } },
    BASE,
  )
  expect(config.registry_directory).toBe('/etc/parley/registry')
  expect(config.provider_keys).toEqual({ main: '/etc/parley/keys/main' })
})

test.each([
  ['no object', []],
  ['an unknown member', { ...CONFIG, verbose: true }],
  ['no agents_file', { signing_seed_file: 'seed' }],
  ['no signing_seed_file', { agents_file: null }],
  ['an empty path', { ...CONFIG, signing_seed_file: '' }],
  ['a key in place of its file', { ...CONFIG, provider_keys: { main: 7 } }],
  ['a provider that is none', { ...CONFIG, default_provider: 'other' }],
  ['an operator with a space', { ...CONFIG, operator_id: 'a b' }],
  ['a time of nothing', { ...CONFIG, session_ttl_secs: 0 }],
  ['half a second', { ...CONFIG, session_ttl_secs: 0.5 }],
  ['a session of more than a day', { ...CONFIG, session_ttl_secs: 86_401 }],
  ['an invite of more than thirty days', { ...CONFIG, invite_ttl_secs: 2_592_001 }],
  ['a flag as text', { ...CONFIG, dev: 'true' }],
  ['a port beyond 65535', { ...CONFIG, listen: { host: '127.0.0.1', port: 65_536 } }],
  ['a listener without a host', { ...CONFIG, listen: { port: 1 } }],
  ['no requests at all', { ...CONFIG, requests_per_minute: 0 }],
])('a configuration with %s is refused as config_malformed', (_, value) => {
  expect(() => parseApiConfig(value, BASE)).toThrow(expect.objectContaining({ code: 'config_malformed' }))
})
