import { type ApprovalRequest, effectDigest, type EffectStatement } from '@parley/guardian'

/** An effect that an agent asks for. */
export const effectOf = (agent: string): EffectStatement => ({
  version: 'parley-effect-v1',
  effect_id: 'effect-1',
  effect: 'tool',
  resource: { type: 'Tool', id: 'send-mail' },
  arguments: { to: 'bob@example.org', text: 'hello \u202e there' },
  purpose: 'support',
  classification: 'INTERNAL',
  recipients: ['bob'],
  identity: {
    owner: agent,
    tenant: 'acme',
    session: 'session-1',
    credential_context: 'acme/agent',
    principal: { type: 'Agent', id: agent },
    delegation: [],
  },
})

/** Its request for an approval, five minutes long. */
export const requestOf = (effect: EffectStatement, nowSeconds: number): ApprovalRequest => ({
  effect,
  effect_digest: effectDigest(effect),
  asked_at: nowSeconds,
  expires_at: nowSeconds + 300,
  rules: ['tool-acts-approved'],
})
