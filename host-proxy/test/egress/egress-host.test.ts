import { expect, test } from 'vitest'
import { readEgressHosts, targetOf } from '../../src/egress/egress-host.js'

test('hosts are read as they are asked for', () => {
  const hosts = readEgressHosts([
    { host: 'api.anthropic.com', port: 443 },
    { host: '127.0.0.1', port: 1 },
    { host: '[::1]', port: 65_535 },
  ])
  expect(hosts.map(targetOf)).toEqual(['api.anthropic.com:443', '127.0.0.1:1', '[::1]:65535'])
})

test.each([
  ['no list', {}, /^egress is not a list/],
  ['too many hosts', Array(65).fill({ host: 'a', port: 1 }), /^egress is not a list/],
  ['a row that is no object', ['a:443'], /egress\[0\]/],
  ['an unknown member', [{ host: 'a', port: 1, tls: true }], /egress\[0\].*tls/],
  ['no port', [{ host: 'a' }], /egress\[0\].*port/],
  ['port 0', [{ host: 'a', port: 0 }], /egress\[0\].port/],
  ['a port as text', [{ host: 'a', port: '443' }], /egress\[0\].port/],
  ['a host in upper case', [{ host: 'A', port: 1 }], /egress\[0\].host/],
  ['a host with a port', [{ host: 'a:1', port: 1 }], /egress\[0\].host/],
  ['a wildcard', [{ host: '*', port: 1 }], /egress\[0\].host/],
  ['an IPv6 address without brackets', [{ host: '::1', port: 1 }], /egress\[0\].host/],
  ['an empty host', [{ host: '', port: 1 }], /egress\[0\].host/],
])('an allow-list with %s is refused', (_, value, message) => {
  expect(() => readEgressHosts(value)).toThrow(message)
})
