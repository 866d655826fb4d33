import { readdirSync, readFileSync } from 'node:fs'
import { loadCedarPolicy } from '@parley/guardian/cedar'
import { describe, expect, test } from 'vitest'
import { CLASSIFICATIONS, EFFECTS, type PolicyEntity, type PolicyQuestion } from '../../../src/index.js'

const FOLDER = new URL('../../../../infra/policy/cedar/', import.meta.url)
const HASH = 'b'.repeat(64)

const shipped = (): Map<string, Uint8Array> =>
  new Map(
    readdirSync(FOLDER).map((name) => [`cedar/${name}`, new Uint8Array(readFileSync(new URL(name, FOLDER)))]),
  )
const withRules = (text: string): Map<string, Uint8Array> => {
  const files = shipped()
  for (const path of files.keys()) if (path.endsWith('.cedar')) files.delete(path)
  return files.set('cedar/own.cedar', new TextEncoder().encode(text))
}
const PERMIT = '@id("any") permit (principal, action, resource);'

const session: PolicyEntity = {
  type: 'Session',
  id: 's',
  attributes: { contract: 'c'.repeat(64), profile: 'software' },
}
const agent: PolicyEntity = { type: 'Agent', id: 'did:a', attributes: { did: 'did:a', depth: 0 } }
const provider = (change: Record<string, string | boolean | number> = {}): PolicyEntity => ({
  type: 'Provider',
  id: 'p',
  attributes: { host: 'api.example', region: 'eu', egress: true, max_classification: 2, ...change },
})
const infer = (change: Partial<PolicyQuestion> = {}): PolicyQuestion => ({
  ...{ principal: session, action: 'infer', resource: provider(), purpose: 'support' },
  ...{ classification: 'PUBLIC', recipients: ['bob'], ...change },
})

describe('the rules that ship', () => {
  const policy = loadCedarPolicy(shipped(), HASH)

  test.each([
    ['PUBLIC', 'eu', 'allow'],
    ['INTERNAL', 'us', 'allow'],
    ['CONFIDENTIAL', 'eu', 'approval_required'],
    ['CONFIDENTIAL', 'us', 'deny'],
    ['SECRET', 'eu', 'deny'],
  ] as const)('UAR-06: answer %s to a provider in %s with %s', (classification, region, decision) => {
    const resource = provider({ region, max_classification: 3 })
    expect(policy.decide(infer({ classification, resource })).decision).toBe(decision)
  })

  test('let a secret be inferred from inside alone', () => {
    const resource = provider({ egress: false, max_classification: 3 })
    expect(policy.decide(infer({ classification: 'SECRET', resource })).decision).toBe('allow')
  })

  test('let a session release its own contract and no other', () => {
    const contract = (hash: string): PolicyEntity => ({ type: 'Contract', id: hash, attributes: { hash } })
    const release = (hash: string) =>
      policy.decide(infer({ action: 'release', resource: contract(hash) })).decision
    expect([release('c'.repeat(64)), release('d'.repeat(64))]).toEqual(['allow', 'deny'])
  })

  test.each([
    ['read', 'PUBLIC', 'allow'],
    ['write', 'PUBLIC', 'approval_required'],
    ['execute', 'INTERNAL', 'approval_required'],
    ['write', 'SECRET', 'deny'],
  ] as const)('answer a tool that can %s, with %s, with %s', (side_effect, classification, decision) => {
    const resource = { type: 'Tool', id: 't', attributes: { tier: 2, scope: 'tools:t:invoke', side_effect } }
    const question = infer({ principal: agent, action: 'tool.invoke', resource, classification })
    expect(policy.decide(question).decision).toBe(decision)
  })

  test('name the rules that decided, and the bundle', () => {
    expect(policy.decide(infer()).rules).toEqual(['infer-internal'])
    expect(policy.decide(infer({ classification: 'SECRET' })).rules).toEqual([
      'infer-above-provider',
      'infer-secret-leaves',
    ])
    expect(policy.bundleHash).toBe(HASH)
    expect(policy.rules.get('infer-internal')).toContain('permit')
  })

  test('know every effect by action and resource', () => {
    for (const { action, resource } of Object.values(EFFECTS)) {
      const schema = new TextDecoder().decode(shipped().get('cedar/schema.cedarschema'))
      expect(schema).toContain(`"${action}"`)
      expect(schema).toMatch(new RegExp(`entity ${resource}\\b`))
    }
  })
})

describe('UAR-08: what the schema does not know is denied as policy_failed:', () => {
  const policy = loadCedarPolicy(withRules(PERMIT), HASH)

  test('(while all that it knows is permitted)', () => {
    for (const classification of CLASSIFICATIONS)
      expect(policy.decide(infer({ classification })).decision).toBe('allow')
  })

  test.each([
    ['an action', infer({ action: 'launch' })],
    ['an action of another principal', infer({ principal: agent, action: 'release' })],
    ['a type of principal', infer({ principal: { ...session, type: 'Root' } })],
    ['a type of resource', infer({ resource: { ...provider(), type: 'Planet' } })],
    ['a resource of another action', infer({ resource: { type: 'Secret', id: 'x', attributes: {} } })],
    [
      'an attribute',
      infer({ principal: { ...session, attributes: { ...session.attributes, admin: true } } }),
    ],
    ['an attribute’s type', infer({ resource: provider({ egress: 'no' }) })],
    ['a missing attribute', infer({ principal: { ...session, attributes: { profile: 'software' } } })],
    ['a type that is no name', infer({ principal: { ...session, type: 'Session"; permit' } })],
    ['no type at all', infer({ principal: { ...session, type: '' } })],
    ['a number that is no integer', infer({ resource: provider({ max_classification: 1.5 }) })],
  ])('%s', (_, question) => {
    let decision = 'deny'
    try {
      decision = policy.decide(question).decision
    } catch {
      // The gate takes what a policy throws as a deny.
    }
    expect(decision).toBe('deny')
  })
})

describe('rules', () => {
  test('UAR-08: that permit nothing deny', () => {
    const policy = loadCedarPolicy(
      withRules('@id("none") forbid (principal is Operator, action, resource);'),
      HASH,
    )
    expect(policy.decide(infer())).toEqual({ decision: 'deny', rules: [] })
  })

  test('UAR-08: that fail deny, though another permits', () => {
    const failing = `${PERMIT}
      @id("overflows") forbid (principal, action == Action::"infer", resource is Provider)
      when { resource.max_classification * 9223372036854775807 > 5 };`
    const policy = loadCedarPolicy(withRules(failing), HASH)
    expect(policy.decide(infer())).toEqual({ decision: 'deny', rules: ['policy_failed', 'overflows'] })
    expect(policy.decide(infer({ resource: provider({ max_classification: 1 }) })).decision).toBe('deny')
    expect(policy.decide(infer({ resource: provider({ max_classification: 0 }) })).decision).toBe('allow')
  })

  test('UAR-08: that fail only once an approval is there deny too', () => {
    const failing = `@id("approved") permit (principal, action, resource) when { context.approved };
      @id("overflows") forbid (principal, action == Action::"infer", resource is Provider)
      when { context.approved && resource.max_classification * 9223372036854775807 > 5 };`
    expect(loadCedarPolicy(withRules(failing), HASH).decide(infer())).toEqual({
      decision: 'deny',
      rules: ['policy_failed', 'overflows'],
    })
  })

  test('UAR-07: that forbid are not lifted by an approval', () => {
    const text = `@id("approved") permit (principal, action, resource) when { context.approved };
      @id("never") forbid (principal, action == Action::"infer", resource);`
    expect(loadCedarPolicy(withRules(text), HASH).decide(infer())).toEqual({
      decision: 'deny',
      rules: ['never'],
    })
  })

  test('UAR-26: of two bundles are apart, though both are loaded', () => {
    const [open, closed] = [
      loadCedarPolicy(withRules(PERMIT), HASH),
      loadCedarPolicy(withRules('@id("any") forbid (principal, action, resource);'), 'c'.repeat(64)),
    ]
    expect([open.decide(infer()).decision, closed.decide(infer()).decision]).toEqual(['allow', 'deny'])
  })

  test.each([
    ['that are not Cedar', 'permit everything'],
    ['without an id', 'permit (principal, action, resource);'],
    ['with an id that is none', '@id("Any Rule") permit (principal, action, resource);'],
    ['with one id twice', `${PERMIT}${PERMIT}`],
    ['with a template', '@id("t") permit (principal == ?principal, action, resource);'],
    ['with an unknown action', '@id("x") permit (principal, action == Action::"launch", resource);'],
    ['with an unknown type', '@id("x") permit (principal is Root, action, resource);'],
    [
      'with an unknown attribute',
      '@id("x") permit (principal is Session, action == Action::"infer", resource) when { resource.price > 1 };',
    ],
    [
      'with a wrong type',
      '@id("x") permit (principal, action == Action::"infer", resource) when { context.purpose == 1 };',
    ],
    ['that can never apply', '@id("x") permit (principal is Operator, action == Action::"infer", resource);'],
  ])('%s are refused', (_, text) => {
    expect(() => loadCedarPolicy(withRules(text), HASH)).toThrow(
      expect.objectContaining({ code: 'object_malformed' }),
    )
  })

  test.each([
    ['without a schema', (files: Map<string, Uint8Array>) => files.delete('cedar/schema.cedarschema')],
    [
      'with a schema that is none',
      (files: Map<string, Uint8Array>) =>
        files.set('cedar/schema.cedarschema', new TextEncoder().encode('entity')),
    ],
  ])('%s are refused', (_, change) => {
    const files = shipped()
    change(files)
    expect(() => loadCedarPolicy(files, HASH)).toThrow(expect.objectContaining({ code: 'object_malformed' }))
  })
})
