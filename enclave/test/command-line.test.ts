import { expect, test } from 'vitest'
import { parseCommandLine } from '../src/command-line.js'

test.each(['confidential', 'software'] as const)('the %s profile runs with a configuration', (profile) => {
  expect(parseCommandLine(['--profile', profile, '--config', 'relay.json'])).toEqual({
    kind: 'run',
    profile,
    config: 'relay.json',
  })
})

test('AgentVault’s API is of the software profile', () => {
  const command = parseCommandLine(['--profile', 'software', '--config', 'x', '--agentvault-api', 'api.json'])
  expect(command).toMatchObject({ kind: 'run', agentvaultApi: 'api.json' })
})

test('an export of the audit log has a place to write to', () => {
  const argv = ['audit', 'export', '--profile', 'confidential', '--config', 'relay.json', '--out', 'logs']
  expect(parseCommandLine(argv)).toEqual({
    kind: 'audit-export',
    profile: 'confidential',
    config: 'relay.json',
    out: 'logs',
  })
})

test('help needs nothing else', () => {
  expect(parseCommandLine(['--help'])).toEqual({ kind: 'help' })
})

test.each([
  ['nothing', [], 'usage'],
  ['no configuration', ['--profile', 'software'], 'usage'],
  ['no profile', ['--config', 'x'], 'usage'],
  ['a profile without a value', ['--config', 'x', '--profile'], 'usage'],
  ['an unknown profile', ['--profile', 'fast', '--config', 'x'], 'usage'],
  ['an unknown option', ['--profile', 'software', '--config', 'x', '--verbose'], 'usage'],
  ['an export without a place', ['audit', 'export', '--profile', 'software', '--config', 'x'], 'usage'],
  ['another command', ['audit', 'erase', '--profile', 'software', '--config', 'x', '--out', 'y'], 'usage'],
  ['a place without an export', ['--profile', 'software', '--config', 'x', '--out', 'y'], 'usage'],
  ['an argument too many', ['--profile', 'software', '--config', 'x', 'y'], 'usage'],
  [
    'AgentVault’s API without a file',
    ['--profile', 'software', '--config', 'x', '--agentvault-api'],
    'usage',
  ],
  [
    'AgentVault’s API in the confidential profile',
    ['--profile', 'confidential', '--config', 'x', '--agentvault-api', 'api.json'],
    'profile_refused',
  ],
  ['the embedded profile', ['--profile', 'embedded', '--config', 'x'], 'profile_refused'],
])('%s is refused', (_, argv, code) => {
  expect(() => parseCommandLine(argv)).toThrow(expect.objectContaining({ code }))
})
