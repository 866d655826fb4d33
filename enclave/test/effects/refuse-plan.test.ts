import { CLOSED_DATA_POLICY, type PolicyAnswer } from '@parley/guardian'
import { describe, expect, it } from 'vitest'
import { createSessions } from '../../src/session/app.js'
import { modelContract, NEAR, REGISTRY, said, scripted } from '../session/model-contract.js'
import { pairOf } from '../session/participant.js'
import { CONTRACT, type TestRelay, testRelay } from '../session/test-relay.js'

const refusing = (action: string, decision: PolicyAnswer['decision']): TestRelay => {
  const { models } = scripted('openai', () => said(NEAR))
  return testRelay({
    models,
    registry: REGISTRY,
    effectPolicy: {
      bundleHash: 'b1'.repeat(32),
      decide: (question) => ({ decision: question.action === action ? decision : 'allow', rules: [] }),
    },
  })
}

describe('a contract that the policy is against', () => {
  it.each([
    ['infer', 'deny'],
    ['infer', 'approval_required'],
    ['egress', 'deny'],
    ['release', 'deny'],
  ] as const)('is refused before any input is given: %s is %s', async (action, decision) => {
    const relay = refusing(action, decision)
    const { buyer, seller } = pairOf(relay)
    const reply = await buyer.create(modelContract('openai'), seller.did)
    buyer.refused(reply, 'contract_refused', 'effect_denied /evaluator')
    expect(relay.audit.events).toEqual([])
  })

  it('is not refused for an effect that it does not have', async () => {
    const { buyer, seller } = pairOf(refusing('egress', 'deny'))
    await buyer.created(CONTRACT, seller.did)
    expect(buyer.session).not.toBe('')
  })
})

describe('an engine that the data may not go to', () => {
  const closed = (): TestRelay => {
    const bare = testRelay()
    const deps = { ...bare.deps, bundle: { ...bare.deps.bundle, data: CLOSED_DATA_POLICY } }
    return { ...bare, deps, sessions: createSessions(deps) }
  }

  it('A2A-27: refuses the contract, and the log says so first', async () => {
    const relay = closed()
    const { buyer, seller } = pairOf(relay)
    const reply = await buyer.create(CONTRACT, seller.did)
    buyer.refused(reply, 'contract_refused', 'unknown_engine /evaluator')
    const fields = { engine_id: 'cel', label: 'INTERNAL', reason: 'unknown_engine' }
    expect(relay.audit.events).toEqual([{ event: 'data_flow.blocked', fields }])
  })

  it('is not told of where the log cannot take it', async () => {
    const relay = closed()
    relay.disk.failures = 1
    const { buyer, seller } = pairOf(relay)
    buyer.refused(await buyer.create(CONTRACT, seller.did), 'relay_failed', null)
    expect(relay.audit.events).toEqual([])
  })
})
