import * as v from 'valibot'
import { digest, hex, integer, time } from './formats.js'
import { profileName } from './keyset.js'
import { outcome } from './outcome.js'
import { role } from './role.js'

// The allow-list of the audit log: an event or a field that is not here cannot be written. A value is a number, a digest,
// an enumeration or an id that the host chose; nothing that a participant, a sender or a model wrote has a place.

const head = { version: v.literal('parley-audit-v1'), seq: integer(0), at: time, previous: digest }
const event = <const Name extends string, Fields extends v.ObjectEntries>(named: Name, fields: Fields) =>
  v.strictObject({ ...head, event: v.literal(named), fields: v.strictObject(fields) })
const events = <const Names extends readonly string[], Fields extends v.ObjectEntries>(
  named: Names,
  fields: Fields,
) => v.strictObject({ ...head, event: v.picklist(named), fields: v.strictObject(fields) })

const session_id = hex(32)
// A number of 14 digits or more may be somebody's, and so may a text that is nothing else.
const count = integer(0, 9_999_999_999_999)
const id = v.pipe(v.string(), v.regex(/^(?![0-9]{14,}$)[A-Za-z0-9._:@-]{1,128}$/, 'an id'))
const resource = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,256}$/, 'the id of a resource'))
const rule = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the id of a rule'))
const code = v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,64}$/, 'a code'))
// LABEL:CODE as SPEC "Corvin A2A v4" lists them, or a code alone.
const reason = v.pipe(v.string(), v.regex(/^(?:[A-Za-z0-9._-]{1,32}:)?[a-z0-9_]{1,64}$/, 'a reason'))
const label = v.picklist(['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'SECRET'])
const http_status = integer(100, 599)
/** HMAC-SHA256 of a subject's identifier, under a salt of that subject alone. */
const subject = digest
const task_id = id

const relayEvents = [
  event('relay.started', { keyset_digest: digest, profile: profileName }),
  event('relay.provisioned', { authority: id, held: count }),
  event('session.created', { session_id, contract_hash: digest }),
  event('session.offered', { session_id, offer_digest: digest }),
  event('session.consented', { session_id, role }),
  event('input.accepted', { session_id, role, input_commitment: digest }),
  event('session.ended', { session_id, transcript_hash: digest, outcome }),
] as const

const a2aEvents = [
  event('A2A.envelope_received', {
    task_id,
    origin_id: id,
    nonce_prefix: hex(4),
    sender_instance_id: id,
    ttl_s: count,
    purpose_id: v.nullable(id),
  }),
  event('A2A.envelope_sent', { task_id, endpoint_id: id, ttl_s: count }),
  event('A2A.engine_spawned', { task_id, engine_id: id, persona: id, channel: id, chat_key: id }),
  event('A2A.result_filtered', { task_id, filter_pass_count: count, filter_reject_count: count }),
  event('A2A.response_signed', {
    task_id,
    instance_id: id,
    endpoint_id: id,
    http_status,
    duration_ms: count,
  }),
  event('A2A.response_received', { task_id, endpoint_id: id, instance_id_match: v.boolean(), http_status }),
  event('A2A.request_rejected', { task_id: v.nullable(id), origin_id: v.nullable(id), reason }),
  event('A2A.requests_rejected', { count, of_strangers: v.boolean() }),
  event('A2A.response_rejected', { task_id, endpoint_id: id, reason }),
  event('A2A.subagents_force_restricted', { task_id, origin_id: id }),
] as const

const gateEvents = [
  events(
    [
      'effect.requested',
      'effect.denied',
      'effect.approval_required',
      'effect.approved',
      'effect.started',
      'effect.completed',
      'effect.failed',
      'effect.cancelled',
      'effect.expired',
    ],
    {
      run_id: id,
      seq: count,
      effect_id: id,
      effect_digest: digest,
      action: id,
      resource: v.nullable(resource),
      decision: v.nullable(v.picklist(['allow', 'approval_required', 'deny'])),
      rules: v.pipe(v.array(rule), v.maxLength(256), v.readonly()),
      policy_bundle_hash: v.nullable(digest),
      reason: v.nullable(code),
    },
  ),
  events(['run.started', 'run.completed', 'run.failed', 'run.cancelled'], { run_id: id, seq: count }),
] as const

const subjectEvents = [
  events(['consent.granted', 'consent.revoked'], { subject, grant_hash: digest }),
  events(['consent.used', 'consent.refused'], { subject, purpose_id: id, origin_id: id }),
  event('erasure.applied', { subject, records: count, files: count }),
  event('data_flow.blocked', { engine_id: v.nullable(id), label: v.nullable(label), reason: code }),
  // The host only where the policy names it: otherwise it is the asker's text.
  event('egress.blocked', { host: v.nullable(id), port: integer(0, 65_535), rule: code }),
] as const

/** Every entry that a log can hold. The relay's own come first: it writes the most. */
export const auditEntry = v.variant('event', [...relayEvents, ...a2aEvents, ...gateEvents, ...subjectEvents])
