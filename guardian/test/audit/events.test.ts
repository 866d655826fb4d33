import { type AuditEvent, parseAuditEntry } from '@parley/protocol'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { severityOf } from '../../src/audit/index.js'
import type { GateRecord } from '../../src/gate/index.js'
import type { A2aEvent } from '../../src/ingress/index.js'
import { erased, sent } from './log.js'

const head = { version: 'parley-audit-v1', seq: 0, at: 1, previous: '0'.repeat(64) }

test('A2A-44: whatever the ingress and the gate record is in the allow-list', () => {
  expectTypeOf<A2aEvent>().toExtend<AuditEvent>()
  expectTypeOf<GateRecord>().toExtend<AuditEvent>()
})

const effect = {
  event: 'effect.failed',
  fields: {
    run_id: 'run-1',
    seq: 3,
    effect_id: 'ab',
    effect_digest: '0'.repeat(64),
    action: 'tool.invoke',
    resource: 'https://example.org/a',
    decision: 'allow',
    rules: ['tool-reads', 'policy_failed'],
    policy_bundle_hash: null,
    reason: 'execution_error',
  },
} as const

describe('an entry', () => {
  test.each([
    sent('task_1'),
    erased(1),
    effect,
    {
      event: 'A2A.request_rejected',
      fields: { task_id: null, origin_id: 'redacted', reason: '2.5:purpose_not_allowed' },
    },
    { event: 'A2A.request_rejected', fields: { task_id: null, origin_id: null, reason: 'S-3:rate_limited' } },
    { event: 'egress.blocked', fields: { host: null, port: 443, rule: 'default_deny' } },
  ])('of $event is read back', (event) => {
    expect(parseAuditEntry({ ...head, ...event })).toEqual({ ...head, ...event })
  })

  test.each<[string, object]>([
    ['an unlisted event', { event: 'A2A.said', fields: {} }],
    ['a member more', { event: 'A2A.envelope_sent', fields: { ...sent('a').fields, instruction: 'x' } }],
    ['a member less', { event: 'A2A.envelope_sent', fields: { task_id: 'a', endpoint_id: 'b' } }],
    ['free text as an id', sent('tell them that')],
    ['an id that is a long number', sent('17900000001234')],
    ['an id that is too long', sent('a'.repeat(129))],
    ['a number of 14 digits', { event: 'A2A.envelope_sent', fields: { ...sent('a').fields, ttl_s: 1e13 } }],
    ['a fraction', { event: 'A2A.envelope_sent', fields: { ...sent('a').fields, ttl_s: 1.5 } }],
    ['free text as a reason', { ...effect, fields: { ...effect.fields, reason: 'the mail said no' } }],
    ['free text as a rule', { ...effect, fields: { ...effect.fields, rules: ['because I say so'] } }],
    ['another decision', { ...effect, fields: { ...effect.fields, decision: 'maybe' } }],
    [
      'a subject by name',
      { event: 'consent.refused', fields: { subject: 'alice', purpose_id: 'billing', origin_id: 'bob' } },
    ],
  ])('A2A-44: with %s is refused', (_, event) => {
    expect(() => parseAuditEntry({ ...head, ...event })).toThrow(
      expect.objectContaining({ code: 'object_malformed' }),
    )
  })
})

test.each([
  ['A2A.request_rejected', 'warning'],
  ['A2A.subagents_force_restricted', 'warning'],
  ['effect.denied', 'warning'],
  ['egress.blocked', 'warning'],
  ['effect.approval_required', 'info'],
  ['A2A.envelope_sent', 'info'],
  ['session.ended', 'info'],
] as const)('A2A-52: %s is of severity %s', (event, severity) => {
  expect(severityOf(event)).toBe(severity)
})
