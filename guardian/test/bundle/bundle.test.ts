import type { JsonObject } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import {
  certificatesIn,
  checkEngineKinds,
  filesOfProvider,
  isBundlePath,
  missingSurfaces,
  parseAuthorities,
  parseEnginePolicy,
  parseLimits,
  parseProfileDescriptor,
  parseProviderList,
  WIDEST_MATRIX,
} from '../../src/index.js'

const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error

test.each([
  'limits.json',
  'profiles/software.json',
  'providers/web.pem',
  'cedar/x.cedar',
  'cedar/schema.cedarschema',
])('%s has a place in a bundle', (path) => {
  expect(isBundlePath(path)).toBe(true)
})

test.each(['notes.txt', 'limits.json.bak', 'cedar/x.cedarschema', 'providers/a/b.pem', '../limits.json', ''])(
  '"%s" has none',
  (path) => {
    expect(isBundlePath(path)).toBe(false)
  },
)

test('bounds that are not all stated are refused', () => {
  expect(() => parseLimits({ tick_ms: 250 })).toThrow(malformed)
})

describe('a profile descriptor', () => {
  const descriptor = (change: object = {}) => ({
    version: 'parley-profile-v1',
    name: 'software',
    guardian_policy: 'bounded-signal',
    surfaces: ['audit-log'],
    ...change,
  })

  test('promises what this build has in its profile, or is told of', () => {
    expect(missingSurfaces(parseProfileDescriptor('software', descriptor()))).toEqual([])
    const surfaces = ['audit-log', 'hardware-evidence', 'mind-reading', 'constructor']
    expect(missingSurfaces(parseProfileDescriptor('software', descriptor({ surfaces })))).toEqual(
      surfaces.slice(1),
    )
  })

  test.each([
    ['of another profile', { name: 'embedded' }],
    ['that seals without a secure processor', { sealing: 'snp-derived' }],
    ['without surfaces', { surfaces: [] }],
    ['with a surface twice', { surfaces: ['audit-log', 'audit-log'] }],
    ['with a member more', { more: 1 }],
  ])('%s is refused', (_, change) => {
    expect(() => parseProfileDescriptor('software', descriptor(change))).toThrow(malformed)
  })
})

describe('a list of providers', () => {
  const web = {
    name: 'web',
    kind: 'openai',
    host: 'api.example.org',
    port: 443,
    roots: ['web.pem'],
    account: 'acme',
    api_key: 'required',
  }
  const list = (...providers: JsonObject[]) => ({ version: 'parley-providers-v1', providers })

  test('names the files of each', () => {
    const attested = {
      appraisal: 'chip.json',
      image_digest: 'a'.repeat(64),
      policy_bundle_hash: 'b'.repeat(64),
    }
    const [one] = parseProviderList(list({ ...web, attested }))
    expect(one && filesOfProvider(one)).toEqual(['providers/web.pem', 'providers/chip.json'])
  })

  test.each([
    ['an address for a name', [{ ...web, host: '10.0.0.1' }]],
    ['no roots', [{ ...web, roots: [] }]],
    ['a root outside', [{ ...web, roots: ['../web.pem'] }]],
    ['a local one elsewhere', [{ ...web, kind: 'local' }]],
    ['a name twice', [web, web]],
  ])('with %s is refused', (_, providers) => {
    expect(() => parseProviderList(list(...providers))).toThrow(malformed)
  })

  test('may not be called what it is not by the engines', () => {
    const engines = (locality: string, egress: string) =>
      parseEnginePolicy({
        version: 'parley-engines-v1',
        matrix: WIDEST_MATRIX,
        engines: [{ id: 'web', locality, egress }],
        allowed_engines: ['web'],
        forbid_engines: [],
      })
    const providers = parseProviderList(list(web))
    expect(() => {
      checkEngineKinds(engines('eu_cloud', 'external'), providers)
    }).not.toThrow()
    expect(() => {
      checkEngineKinds(engines('local', 'none'), providers)
    }).toThrow(malformed)
  })
})

test.each([
  ['nobody', []],
  ['what is no DID', ['me']],
])('authorities that are %s are refused', (_, authorities) => {
  expect(() => parseAuthorities({ version: 'parley-provisioning-v1', authorities })).toThrow(malformed)
})

describe('a PEM file', () => {
  const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

  test('of certificates gives each', () => {
    expect(certificatesIn(PEM + PEM)).toEqual([PEM, PEM])
  })

  test.each([
    ['a comment', `# ours\n${PEM}`],
    ['a key', `${PEM}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`],
    ['nothing', ''],
  ])('with %s gives none', (_, text) => {
    expect(certificatesIn(text)).toEqual([])
  })
})
