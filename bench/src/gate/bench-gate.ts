import {
  CapabilityRegistry,
  type Classification,
  createPolicySlot,
  type Decision,
  Gate,
  type Identity,
  LiveEvents,
  MemoryApprovals,
  type Policy,
  type PolicyQuestion,
  Run,
  SecretVault,
} from '@parley/guardian'
import { type Contest, inProcess } from '../candidate.js'
import { loadShippedPolicy } from './load-shipped-policy.js'

const agent = (depth: number) => ({
  type: 'Agent',
  id: `did:oas:bench:agent:${depth}`,
  attributes: { did: `did:oas:bench:agent:${depth}`, depth },
})
const provider = {
  type: 'Provider',
  id: 'provider',
  attributes: { host: 'api.example', region: 'eu', egress: true, max_classification: 2 },
}
const ask = (classification: Classification): PolicyQuestion => ({
  ...{ principal: agent(0), action: 'infer', resource: provider, purpose: 'bench' },
  ...{ classification, recipients: ['bob'] },
})

const identity: Identity = {
  ...{ owner: 'owner', tenant: 'tenant', session: 'session', credential_context: 'context' },
  ...{ principal: agent(0), delegation: [] },
}

/** Decides one question, having made sure what comes out. */
const decider = (policy: Policy, question: PolicyQuestion, expected: Decision): (() => void) => {
  const decide = (): void => {
    if (policy.decide(question).decision !== expected) throw new Error(`not ${expected}`)
  }
  decide()
  return decide
}

/** A whole effect through the gate, its records and its approvals in memory. */
const effects = (policy: Policy, who: Identity): (() => Promise<void>) => {
  const capabilities = new CapabilityRegistry()
  const execute = (): Promise<null> => Promise.resolve(null)
  capabilities.register({ effect: 'infer', resource: 'provider', credentials: [], execute })
  let drawn = 0
  const time = { nowSeconds: () => 0, sleepUntil: () => Promise.resolve() }
  const gate = new Gate({
    resource: () => provider,
    policy: createPolicySlot(policy),
    approvals: new MemoryApprovals(time, { approvers: [], audience: '' }),
    quota: () => true,
    capabilities,
    secrets: new SecretVault(),
    nowSeconds: time.nowSeconds,
    effectId: () => `effect-${(drawn += 1)}`,
    approvalSeconds: 900,
  })
  // A run remembers its effects; each begins one of its own, as a session does.
  return async () => {
    const run = await Run.start({
      id: 'run',
      identify: () => who,
      evidence: () => Promise.resolve(),
      live: new LiveEvents(),
    })
    const { kind } = await gate.request(run, {
      ...{ effect: 'infer', resource: 'provider', arguments: { prompt: 'text' }, purpose: 'bench' },
      ...{ classification: 'PUBLIC', recipients: ['bob'] },
    })
    if (kind !== 'completed') throw new Error(`the effect was ${kind}`)
  }
}

/** What a policy decision costs, and what the gate adds to it. */
export function* benchGate(): Generator<Contest> {
  const policy = loadShippedPolicy()
  const chained = { ...identity, delegation: [agent(1), agent(2)] }
  yield {
    title: 'effect gate: one decision by the rules that ship',
    floor: inProcess('allowed: Cedar is asked once', decider(policy, ask('PUBLIC'), 'allow')),
    rivals: [
      inProcess('approval required: twice', decider(policy, ask('CONFIDENTIAL'), 'approval_required')),
      inProcess('denied: twice', decider(policy, ask('SECRET'), 'deny')),
      inProcess('a run of one effect, records in memory', effects(policy, identity)),
      inProcess('the same for a chain of three principals', effects(policy, chained)),
    ],
  }
}
