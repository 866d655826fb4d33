import fc from 'fast-check'
import { type JsonValue, ProtocolError } from '@parley/protocol'
import { expect, test } from 'vitest'
import { parseEgressPolicy } from '../../src/index.js'
import { EGRESS } from '../classification/policies.js'

const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error
const row = (change: object = {}) => ({ host: 'api.example.eu', port: 443, region: 'eu', ...change })

test('the shipped policy is read, and names no host', () => {
  expect(parseEgressPolicy(EGRESS).allowed_hosts).toEqual([])
})

test.each([
  'Api.example.eu',
  'api.example.eu.',
  'localhost',
  '127.0.0.1',
  '[::1]',
  '*',
  '*.eu',
  '*.*.eu',
  'a*.example.eu',
  'api..eu',
  '-a.example.eu',
  'a_b.example.eu',
  'https://api.example.eu',
  'api.example.eu:443',
  'api.example.eu/x',
  '',
])('A2A-29: the host %j is refused', (host) => {
  expect(() => parseEgressPolicy({ ...EGRESS, allowed_hosts: [row({ host })] })).toThrow(malformed)
  expect(() => parseEgressPolicy({ ...EGRESS, forbidden_hosts: [host] })).toThrow(malformed)
})

test.each<[string, object]>([
  ['a host in both lists', { allowed_hosts: [row()], forbidden_hosts: ['api.example.eu'] }],
  ['a default', { default_action: 'allow' }],
  ['a switch', { enabled: false }],
  ['a host twice', { allowed_hosts: [row(), row({ region: 'us' })] }],
  ['a forbidden host twice', { forbidden_hosts: ['a.example.eu', 'a.example.eu'] }],
  ['no port', { allowed_hosts: [row({ port: undefined })] }],
  ['port 0', { allowed_hosts: [row({ port: 0 })] }],
  ['port 65536', { allowed_hosts: [row({ port: 65_536 })] }],
  ['an unknown region', { allowed_hosts: [row({ region: 'de' })] }],
  ['another version', { version: 'v2' }],
])('A2A-29: a policy with %s is refused', (_, change) => {
  expect(() => parseEgressPolicy({ ...EGRESS, ...change })).toThrow(malformed)
})

test('whatever is read as a policy, nothing but a ProtocolError is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(EGRESS)), (value, member) => {
      for (const read of [value, { ...EGRESS, [member]: value }])
        try {
          parseEgressPolicy(read as JsonValue)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
    }),
  )
})
