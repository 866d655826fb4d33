import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Agents, loadAgents } from '../../src/agentvault-api/agents.js'
import { temporaryDirectory } from '../boot.js'
import { AGENTS } from './open-test-api.js'

function load(value: unknown, mode = 0o600): Agents {
  const path = join(temporaryDirectory(), 'agents.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value), { mode })
  return loadAgents(path)
}

const agent = (change: object = {}) => ({ agent_id: 'alice', inbox_token: 'secret', ...change })

test('a token names its agent', () => {
  const agents = load(AGENTS)
  expect(agents.ofToken('inbox-of-alice')).toEqual({ agentId: 'alice', publicKeyHex: 'aa'.repeat(32) })
  expect(agents.ofToken('inbox-of-bob')).toEqual({ agentId: 'bob', publicKeyHex: null })
  expect([agents.has('bob'), agents.has('inbox-of-bob')]).toEqual([true, false])
})

test.each(['', 'inbox-of-alic', 'inbox-of-alicee', 'alice', 'INBOX-OF-ALICE'])(
  'the token %j is of nobody',
  (token) => {
    expect(load(AGENTS).ofToken(token)).toBeUndefined()
  },
)

test('without a file there are none', () => {
  expect(loadAgents(null).ofToken('inbox-of-alice')).toBeUndefined()
})

test.each([
  ['text', 'no json'],
  ['no agents', {}],
  ['a list', []],
  ['an unknown member', { agents: [], version: 1 }],
  ['an agent without a token', { agents: [{ agent_id: 'alice' }] }],
  ['an empty token', { agents: [agent({ inbox_token: '' })] }],
  ['an empty id', { agents: [agent({ agent_id: '' })] }],
  ['a key that is none', { agents: [agent({ public_key_hex: 'x' })] }],
  ['an unknown member of an agent', { agents: [agent({ role: 'admin' })] }],
  ['one id twice', { agents: [agent(), agent({ inbox_token: 'other' })] }],
  ['one token twice', { agents: [agent(), agent({ agent_id: 'bob' })] }],
])('a file with %s is config_malformed', (_, value) => {
  expect(() => load(value)).toThrow(expect.objectContaining({ code: 'config_malformed' }))
})

test('a file that others may read, and one that is not there, are config_malformed', () => {
  expect(() => load(AGENTS, 0o644)).toThrow(expect.objectContaining({ code: 'config_malformed' }))
  expect(() => loadAgents(join(temporaryDirectory(), 'none'))).toThrow(
    expect.objectContaining({ code: 'config_malformed' }),
  )
})

test('what a file holds is in no message', () => {
  expect(() => load({ agents: [agent({ inbox_token: 'can ary' })] })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('can ary') as string }),
  )
})
