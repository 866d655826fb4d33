import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkEgress, CLOSED_DATA_POLICY } from '../../src/index.js'
import { dataPolicy } from '../classification/policies.js'

const LISTS = {
  allowed_hosts: [
    { host: 'api.example.eu', port: 443, region: 'eu' },
    { host: '*.example.com', port: 443, region: 'us' },
    { host: 'eu.example.com', port: 443, region: 'eu' },
  ],
  forbidden_hosts: ['bad.example.com', '*.secret.example.com'],
}
const ask = (host: string, port = 443, residency: object = {}) => {
  const { ok, matched_rule } = checkEgress(dataPolicy(residency, {}, LISTS), { host, port })
  return `${ok ? 'yes' : 'no'} ${matched_rule}`
}

describe('A2A-29: a host', () => {
  test.each(['api.example.eu', 'a.example.com', 'a.b.example.com'])('%s that is allowed is', (host) => {
    expect(ask(host)).toBe('yes allowed_explicit')
  })

  test.each([
    ['bad.example.com', 'forbidden_explicit'],
    ['x.secret.example.com', 'forbidden_explicit'],
    ['example.com', 'default_deny'],
    ['other.example.eu', 'default_deny'],
    ['api.example.eu.example.org', 'default_deny'],
    ['notexample.com', 'default_deny'],
    ['API.example.eu', 'host_malformed'],
    ['api.example.eu.', 'host_malformed'],
    ['*.example.com', 'host_malformed'],
    ['127.0.0.1', 'host_malformed'],
    ['169.254.169.254', 'host_malformed'],
    ['::1', 'host_malformed'],
    ['localhost', 'host_malformed'],
    ['api.example.eu\0.example.com', 'host_malformed'],
    ['', 'host_malformed'],
  ])('%j is refused by %s', (host, rule) => {
    expect(ask(host)).toBe(`no ${rule}`)
  })

  test('is refused at another port than the allowed one', () => {
    for (const port of [80, 8443, 0, -1, Number.NaN])
      expect(ask('api.example.eu', port)).toBe('no default_deny')
  })

  test('that nothing is said of is refused', () => {
    expect(checkEgress(CLOSED_DATA_POLICY, { host: 'api.example.eu', port: 443 })).toEqual({
      ok: false,
      matched_rule: 'default_deny',
    })
  })

  test('that no policy names is refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain(), fc.ipV4(), fc.ipV6()), (host) => {
        const isNamed = host === 'api.example.eu' || host.endsWith('.example.com')
        return isNamed || ask(host).startsWith('no ')
      }),
    )
  })
})

test('A2A-30: under EU_PRODUCTION a host elsewhere is refused, also where one row of two says it is in the EU', () => {
  const preset = 'EU_PRODUCTION'
  expect(ask('api.example.eu', 443, { preset })).toBe('yes allowed_explicit')
  expect(ask('a.example.com', 443, { preset })).toBe('no preset_region')
  expect(ask('eu.example.com', 443, { preset })).toBe('no preset_region')
  expect(ask('eu.example.com')).toBe('yes allowed_explicit')
})
