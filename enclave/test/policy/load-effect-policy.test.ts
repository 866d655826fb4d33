import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PolicyEntity, PolicyQuestion } from '@parley/guardian'
import { describe, expect, it } from 'vitest'
import { loadPolicyBundle } from '../../src/policy-bundle.js'
import { loadEffectPolicy } from '../../src/policy/load-effect-policy.js'
import { POLICY_DIRECTORY } from '../boot.js'

const shipped = loadPolicyBundle(POLICY_DIRECTORY, 'confidential')
const policy = loadEffectPolicy(shipped)

const CONTRACT = 'c0'.repeat(32)
const SESSION: PolicyEntity = {
  type: 'Session',
  id: CONTRACT,
  attributes: { contract: CONTRACT, profile: 'confidential' },
}
const provider = (change: PolicyEntity['attributes'] = {}): PolicyEntity => ({
  type: 'Provider',
  id: 'cel',
  attributes: { host: '', region: 'local', egress: false, max_classification: 3, ...change },
})
const contract = (hash: string): PolicyEntity => ({ type: 'Contract', id: hash, attributes: { hash } })
const HOST: PolicyEntity = { type: 'Host', id: 'api.example.eu', attributes: { region: 'eu' } }

const decide = (action: string, resource: PolicyEntity, change: Partial<PolicyQuestion> = {}): string =>
  policy.decide({
    principal: SESSION,
    action,
    resource,
    purpose: 'session',
    classification: 'INTERNAL',
    recipients: [],
    ...change,
  }).decision

describe('the shipped rules', () => {
  it('UAR-06: let a session evaluate, ask a provider and release under its own contract', () => {
    expect(decide('infer', provider())).toBe('allow')
    expect(decide('egress', HOST)).toBe('allow')
    expect(decide('release', contract(CONTRACT))).toBe('allow')
  })

  it('UAR-08: deny what no rule permits, and what the schema does not know', () => {
    expect(decide('release', contract('d1'.repeat(32)))).toBe('deny')
    expect(decide('infer', provider({ max_classification: -1 }))).toBe('deny')
    expect(decide('egress', HOST, { classification: 'CONFIDENTIAL' })).not.toBe('allow')
    expect(decide('tool.invoke', provider())).toBe('deny')
    expect(decide('infer', provider({ invented: true }))).toBe('deny')
    expect(decide('infer', provider(), { principal: { ...SESSION, type: 'Participant' } })).toBe('deny')
  })

  it('UAR-26: answer for the bundle that they are from, and the same each time they are asked', () => {
    expect(policy.bundleHash).toBe(shipped.hash)
    expect(loadEffectPolicy(shipped)).toBe(policy)
    expect([decide('infer', provider()), decide('infer', provider())]).toEqual(['allow', 'allow'])
  })
})

const rules = (text: string): ReadonlyMap<string, Uint8Array> =>
  new Map([
    ['cedar/schema.cedarschema', readFileSync(join(POLICY_DIRECTORY, 'cedar/schema.cedarschema'))],
    ['cedar/own.cedar', new TextEncoder().encode(text)],
  ])

const malformed = expect.objectContaining({ code: 'policy_malformed' }) as Error

describe('rules of a bundle', () => {
  it.each([
    ['are not there', new Map<string, Uint8Array>()],
    ['are not Cedar', rules('let everybody in')],
    [
      'name what the schema does not know',
      rules('@id("a") permit (principal is Stranger, action, resource);'),
    ],
    ['have no id', rules('permit (principal, action, resource);')],
  ])('that %s start no relay: policy_malformed', (name, cedar) => {
    expect(() => loadEffectPolicy({ ...shipped, hash: name, cedar })).toThrow(malformed)
  })

  it('UAR-08: that fail on a question deny it', () => {
    const cedar = rules(
      '@id("all") permit (principal, action, resource);\n' +
        '@id("fails") forbid (principal, action == Action::"infer", resource is Provider)\n' +
        'when { resource.max_classification + 9223372036854775807 > 0 };',
    )
    const failing = loadEffectPolicy({ ...shipped, hash: 'failing', cedar })
    const question = { principal: SESSION, action: 'infer', resource: provider() }
    const rest = { purpose: 'session', classification: 'INTERNAL', recipients: [] } as const
    expect(failing.decide({ ...question, ...rest })).toEqual({
      decision: 'deny',
      rules: ['policy_failed', 'fails'],
    })
  })
})
