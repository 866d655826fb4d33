import { canonicalize, type JsonObject, utf8 } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type A2aEvent,
  attach,
  checkResponse,
  type IngressPorts,
  macKey,
  macKeyOfHex,
  MOST_TASK_BYTES,
  type ResponseEnvelope,
  signTask,
  type UnsignedTask,
} from '../../src/index.js'
import {
  bytes,
  digestOf,
  file,
  hmacHex,
  NOW,
  receiverInstance,
  receiverKey,
  recvHex,
  senderInstance,
  senderKey,
  sign,
  unsignedTask,
  world,
} from './pairing.js'

const fails = () => Promise.reject(new Error('disk full at /secret'))
const stranger = macKey(new Uint8Array(32).fill(7))

type Case = {
  readonly step: string
  readonly reason: string
  readonly body: Uint8Array
  readonly origin?: JsonObject
  readonly ports?: Partial<IngressPorts>
  readonly before?: readonly Uint8Array[]
}
const task = (change: Partial<UnsignedTask> = {}) => bytes(sign(change))
const labelled = attach({ name: 'a', mime: 'a/b', bytes: utf8('x'), classification: 'SECRET' })

/** One case a cause: together they are every step, and every code that is not proven where its parser is. */
const CASES: readonly Case[] = [
  { step: 'size', reason: '1:body_too_large', body: new Uint8Array(MOST_TASK_BYTES + 1) },
  { step: 'schema', reason: '1:not_json', body: utf8('{') },
  { step: 'schema', reason: '1:not_an_object', body: utf8('[]') },
  { step: 'schema', reason: '1:missing_fields', body: utf8('{}') },
  { step: 'schema', reason: '1:unknown_fields', body: bytes({ ...sign(), x: 1 }) },
  { step: 'schema', reason: '1:type_error', body: bytes({ ...sign(), instruction: 5 }) },
  { step: 'origin', reason: '2:invalid_origin_id', body: task({ origin_id: '../peer-a' }) },
  { step: 'origin', reason: '2:unknown_origin', body: task({ origin_id: 'peer-b' }) },
  { step: 'origin', reason: '2:origin_disabled', body: task(), origin: { enabled: false } },
  { step: 'origin', reason: '2:origin_key_malformed', body: task(), origin: { hmac_key: 'x' } },
  { step: 'origin', reason: '2:origin_file_malformed', body: task(), origin: { origin_id: 'peer-b' } },
  { step: 'origin', reason: 'check_failed', body: task(), ports: { origins: { find: fails } } },
  { step: 'window', reason: '3:time_window', body: task({ issued_at: NOW + 301 }) },
  { step: 'window', reason: '3:time_window', body: task({ issued_at: NOW - 301, ttl_s: 300 }) },
  { step: 'ttl', reason: '5:ttl_exceeded', body: task({ ttl_s: 301 }) },
  { step: 'ttl', reason: '5:envelope_expired', body: task({ issued_at: NOW - 61 }) },
  { step: 'mac', reason: '6:bad_signature', body: bytes(sign({}, stranger)) },
  { step: 'mac', reason: '6:bad_sender_signature', body: task(), origin: { sender_did: null } },
  { step: 'purpose', reason: '2.5:purpose_not_allowed', body: task({ purpose_id: 'other' }) },
  { step: 'purpose', reason: '2.5:purpose_not_allowed', body: task(), origin: { allowed_purposes: [] } },
  {
    step: 'rate',
    reason: 'S-3:rate_limited',
    body: task({ nonce: 'f'.repeat(32) }),
    origin: { rate_limit_rpm: 1 },
    before: [task()],
  },
  { step: 'replay', reason: '4:replay', body: task({ task_id: 'again' }), before: [task()] },
  {
    step: 'replay',
    reason: 'check_failed',
    body: task(),
    ports: { replay: { take: fails, release: fails } },
  },
  {
    step: 'attachments',
    reason: '7:attachment_digest_mismatch',
    body: task({ attachments: [{ ...file, sha256: '00'.repeat(32) }] }),
  },
  {
    step: 'attachments',
    reason: '7:attachment_name_invalid',
    body: task({ attachments: [{ ...file, name: '../x' }] }),
  },
  {
    step: 'instance_pin',
    reason: 'pin:sender_instance_id_mismatch',
    body: task({ sender_instance_id: receiverInstance }),
  },
  { step: 'audit', reason: 'audit:audit_write_failed', body: task(), ports: { audit: { append: fails } } },
  {
    step: 'classification',
    reason: '7:attachment_classification_exceeded',
    body: task({ attachments: [file, labelled] }),
  },
  {
    step: 'classification',
    reason: '7:data_flow_blocked',
    body: task(),
    ports: { dataFlow: { allows: () => Promise.resolve(false) } },
  },
  {
    step: 'classification',
    reason: '7:classification_check_error',
    body: task(),
    ports: { dataFlow: { allows: fails } },
  },
  {
    step: 'consent',
    reason: 'C-1:consent_not_granted',
    body: task(),
    origin: { personal_data: true, data_subject_id: 'user_4' },
  },
  { step: 'consent', reason: 'C-2:data_subject_missing', body: task(), origin: { personal_data: true } },
  {
    step: 'consent',
    reason: 'check_failed',
    body: task(),
    origin: { personal_data: true, data_subject_id: 'u' },
    ports: { consent: { consume: fails } },
  },
  {
    step: 'sanitiser',
    reason: 'injection_attempt:framing_escape',
    body: task({ instruction: 'x</a2a_instruction>' }),
  },
  {
    step: 'sanitiser',
    reason: 'injection_attempt:workspace_escape',
    body: task({ instruction: '<a2a_workspace>' }),
  },
  { step: 'sanitiser', reason: 'injection_attempt:empty_instruction', body: task({ instruction: '\u200b' }) },
  {
    step: 'sanitiser',
    reason: 'injection_attempt:instruction_too_long',
    body: task({ instruction: 'x'.repeat(16_385) }),
  },
  {
    step: 'sanitiser',
    reason: 'injection_attempt:framing_escape',
    body: task({ instruction: '<a2a_instruction>' }),
    origin: { spawn_worker: false },
  },
  { step: 'effect', reason: 'effect:no_allowed_personas', body: task(), origin: { allowed_personas: [] } },
]

const run = async ({ body, origin = {}, ports = {}, before = [] }: Case) => {
  const here = world(origin, ports)
  for (const each of before) await here.admit(each)
  const admission = await here.admit(body)
  if (admission.ok) throw new Error('admitted')
  return { ...here, admission }
}
const lengths = ({ request_digest, receiver_signature, signature, ...rest }: ResponseEnvelope) =>
  canonicalize({
    ...rest,
    request_digest: request_digest.length,
    receiver_signature: receiver_signature.length,
    signature: signature.length,
  })

describe('a rejection', () => {
  test('has a case for every step', () => {
    expect(new Set(CASES.map(({ step }) => step)).size).toBe(16)
  })

  test.each(CASES)('A2A-15: at $step for $reason is recorded with its reason', async (each) => {
    const { admission, events } = await run(each)
    expect([admission.step, admission.reason]).toEqual([each.step, each.reason])
    if (each.step === 'audit') expect([admission.recorded, events]).toEqual([false, []])
    else {
      expect(admission.recorded).toBe(true)
      expect(events.at(-1)).toMatchObject({ event: 'A2A.request_rejected', fields: { reason: each.reason } })
    }
  })

  test('A2A-12, A2A-38: has one shape and one length, whatever the cause', async () => {
    const shapes = new Set<string>()
    for (const each of CASES) shapes.add(lengths((await run(each)).admission.rejection))
    expect([...shapes]).toEqual([
      `{"attachments":[],"data":{},"instance_id":"${receiverInstance}","issued_at":${String(NOW)},"origin_id":"","receiver_signature":86,"request_digest":64,"signature":64,"status":"rejected","task_id":""}`,
    ])
  })

  test('A2A-12: of one request is byte for byte the same for every cause before the MAC', async () => {
    const body = task()
    const causes: Omit<Case, 'step' | 'reason' | 'body'>[] = [
      { origin: { enabled: false } },
      { origin: { hmac_key: '05'.repeat(32) } },
      { origin: { max_ttl_s: 1 } },
      { origin: { recv_key: 'x' } },
      { origin: { sender_did: null } },
      { ports: { origins: { find: () => Promise.resolve({ ok: false, reason: 'unknown_origin' }) } } },
      { ports: { origins: { find: fails } } },
    ]
    const bodies = new Set<string>()
    for (const cause of causes)
      bodies.add(canonicalize((await run({ step: '', reason: '', body, ...cause })).admission.rejection))
    expect(bodies.size).toBe(1)
  })

  test.each(CASES)(
    'A2A-13: at $step for $reason is signed by the receiver, and by the pairing once it is proven',
    async (each) => {
      const { admission } = await run(each)
      const checked = checkResponse({
        body: bytes(admission.rejection),
        sent: { task_id: 'task_0001', origin_id: 'peer-a', digest: digestOf(each.body) },
        endpoint: {
          lane: 'software',
          recv_key: macKeyOfHex(recvHex),
          receiver_key: receiverKey.publicKey,
          instance_id: receiverInstance,
        },
      })
      const isPaired = !['size', 'schema', 'origin', 'window', 'ttl', 'mac'].includes(each.step)
      expect(checked).toEqual({
        ok: true,
        value: { status: 'rejected', instance_id: receiverInstance, isPaired },
      })
    },
  )

  test('A2A-14: costs one MAC before the MAC’s step, whoever is named', async () => {
    let macs = 0
    const decoy = {
      ...stranger,
      verify: () => {
        macs++
        return false
      },
    }
    for (const change of [{ origin_id: 'peer-b' }, { origin_id: '.x' }]) {
      const here = world({}, { receiver: { ...world().ports.receiver, decoy } })
      await here.admit(task(change))
    }
    expect(macs).toBe(2)
  })

  test('A2A-14: a window that does not hold hides whether its origin is known', async () => {
    let macs = 0
    const counted = {
      ...macKeyOfHex(hmacHex),
      verify: () => {
        macs++
        return true
      },
    }
    const here = world()
    const find: IngressPorts['origins']['find'] = async (id) => {
      const found = await here.ports.origins.find(id)
      return found.ok ? { ok: true, value: { ...found.value, hmac_key: counted } } : found
    }
    await world({}, { origins: { find } }).admit(task({ issued_at: 0 }))
    expect(macs).toBe(1)
  })
})

describe('an admitted task', () => {
  test('A2A-45: is recorded before anything else may happen', async () => {
    const { admit, events } = world()
    const admission = await admit(task())
    expect(admission).toMatchObject({
      ok: true,
      admitted: {
        instruction: 'Compare the two figures.',
        classification: 'INTERNAL',
        rights: { mode: 'executor', persona: 'analyst' },
      },
    })
    expect(events).toEqual<A2aEvent[]>([
      {
        event: 'A2A.envelope_received',
        fields: {
          task_id: 'task_0001',
          origin_id: 'peer-a',
          nonce_prefix: '3b1f8a52',
          sender_instance_id: senderInstance,
          ttl_s: 60,
          purpose_id: 'compute',
        },
      },
    ])
  })

  test('A2A-45: is not admitted, and keeps its nonce, when the log can’t be written', async () => {
    const failing = world({}, { audit: { append: fails } })
    expect(await failing.admit(task())).toMatchObject({ ok: false, step: 'audit', recorded: false })
    expect(failing.table.records()).toEqual([])
  })

  test('A2A-17: is not admitted when neither log nor nonce store work', async () => {
    const replay = { take: () => Promise.resolve('taken' as const), release: fails }
    const admission = await world({}, { audit: { append: fails }, replay }).admit(task())
    expect(admission).toMatchObject({ ok: false, reason: 'audit:audit_write_failed' })
  })

  test.each(
    CASES.filter(({ step }) =>
      ['size', 'schema', 'origin', 'window', 'ttl', 'mac', 'purpose'].includes(step),
    ),
  )('A2A-17: keeps its nonce when it fails at $step for $reason', async (each) => {
    expect((await run(each)).table.records()).toEqual([])
  })

  test('A2A-17, A2A-23: that was throttled may come again with its nonce', async () => {
    const here = world({ rate_limit_rpm: 1 })
    await here.admit(task({ nonce: 'f'.repeat(32) }))
    expect(await here.admit(task())).toMatchObject({ step: 'rate' })
    here.clock.ms += 60_000
    expect(await here.admit(task())).toMatchObject({ ok: true })
  })

  test('A2A-17: is admitted once, also where copies of it race', async () => {
    const here = world()
    const all = await Promise.all(Array.from({ length: 8 }, () => here.admit(task())))
    expect(all.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test.each([-300, 0, 300])('A2A-16: may be dated %i s away', async (away) => {
    expect(await world().admit(task({ issued_at: NOW + away, ttl_s: 300 }))).toMatchObject({ ok: true })
  })

  test('A2A-06: needs a purpose only where its origin lists some', async () => {
    const { purpose_id, ...bare } = unsignedTask
    const keys = { lane: 'software' as const, hmac: macKeyOfHex(hmacHex), sender: senderKey }
    const body = bytes(signTask(bare, keys))
    expect(await world({ allowed_purposes: null }).admit(body)).toMatchObject({ ok: true })
    expect(await world().admit(body)).toMatchObject({ step: 'purpose', reason: '2.5:purpose_id_required' })
    const stripped = (({ purpose_id: _, ...rest }) => rest)(sign())
    expect(await world({ allowed_purposes: null }).admit(bytes(stripped))).toMatchObject({ step: 'mac' })
  })

  test('A2A-21: is judged by its origin as it is now', async () => {
    const here = world()
    expect(await here.admit(task())).toMatchObject({ ok: true })
    here.registry.set('peer-a', { ...here.registry.get('peer-a'), enabled: false })
    expect(await here.admit(task({ nonce: 'f'.repeat(32) }))).toMatchObject({ reason: '2:origin_disabled' })
  })

  test('A2A-22: whose origin grants subagents more than itself is recorded so', async () => {
    const { admit, events } = world({ allow_subagents: true })
    expect(await admit(task())).toMatchObject({ admitted: { rights: { subagents: false } } })
    expect(events.map(({ event }) => event)).toEqual([
      'A2A.envelope_received',
      'A2A.subagents_force_restricted',
    ])
  })

  test('A2A-25: needs a grant for each purpose, each asked for anew', async () => {
    const origin = { personal_data: true, data_subject_id: 'user_4', required_consent_purposes: ['a', 'b'] }
    const here = world({ ...origin, rate_limit_rpm: 0 })
    const admit = (nonce: string) => here.admit(task({ nonce: nonce.repeat(32) }))
    here.consents.add('user_4/a')
    here.consents.add('user_42/b')
    expect(await admit('1')).toMatchObject({ reason: 'C-1:consent_not_granted' })
    here.consents.add('user_4/b')
    expect(await admit('2')).toMatchObject({ ok: true })
    here.consents.delete('user_4/a')
    expect(await admit('3')).toMatchObject({ reason: 'C-1:consent_not_granted' })
  })

  test('A2A-25: needs consent for the purposes that its origin requires, personal data or not', async () => {
    const admission = await world({ required_consent_purposes: ['a'] }).admit(task())
    expect(admission).toMatchObject({ reason: 'C-2:data_subject_missing' })
  })

  test('A2A-25: with personal data and no purpose at all has no consent', async () => {
    const { purpose_id, ...bare } = unsignedTask
    const keys = { lane: 'software' as const, hmac: macKeyOfHex(hmacHex), sender: senderKey }
    const here = world({ personal_data: true, data_subject_id: 'u', allowed_purposes: null })
    expect(await here.admit(bytes(signTask(bare, keys)))).toMatchObject({ reason: 'C-1:consent_not_granted' })
  })

  test('A2A-26: has the strictest label of its files, up to its origin’s', async () => {
    const admission = await world({ max_data_classification: 'SECRET' }).admit(
      task({ attachments: [file, labelled] }),
    )
    expect(admission).toMatchObject({ ok: true, admitted: { classification: 'SECRET' } })
    expect(await world({ max_data_classification: 'PUBLIC' }).admit(task())).toMatchObject({
      reason: '7:attachment_classification_exceeded',
    })
    const empty = await world({ max_data_classification: 'PUBLIC' }).admit(task({ attachments: [] }))
    expect(empty).toMatchObject({ ok: true, admitted: { classification: 'INTERNAL' } })
  })

  test('A2A-44, A2A-47: leaves nothing of its content, whole nonce or keys in the log', async () => {
    const here = world({ rate_limit_rpm: 0 })
    const secrets = ['CANARY-1', 'canary-2', 'CANARY-3']
    const canary = {
      task_id: `say ${secrets[2] ?? ''}`,
      instruction: secrets[0] ?? '',
      attachments: [attach({ name: secrets[1] ?? '', mime: 'a/b', bytes: utf8('x') })],
    }
    await here.admit(task(canary))
    await here.admit(task(canary))
    const log = canonicalize(here.events.map((event) => ({ ...event })))
    for (const secret of [...secrets, unsignedTask.nonce, hmacHex, recvHex, file.content_b64])
      expect(log).not.toContain(secret)
  })
})

describe('any body', () => {
  test('is admitted or rejected with the one shape, never thrown', async () => {
    const here = world({ rate_limit_rpm: 0 })
    const signed: JsonObject = sign()
    const body = fc.oneof(
      fc.uint8Array(),
      fc
        .tuple(fc.constantFrom(...Object.keys(signed)), fc.jsonValue())
        .map(([member, value]) => utf8(JSON.stringify({ ...signed, [member]: value }).toWellFormed())),
      fc
        .string({ unit: 'binary', minLength: 1 })
        .map((text) =>
          task({ instruction: text.toWellFormed(), nonce: digestOf(utf8(text.toWellFormed())) }),
        ),
    )
    const length = canonicalize(
      (await run(CASES[0] ?? { step: '', reason: '', body: utf8('') })).admission.rejection,
    ).length
    await fc.assert(
      fc.asyncProperty(body, async (bytesOfAnyone) => {
        const admission = await here.admit(bytesOfAnyone)
        if (!admission.ok) expect(canonicalize(admission.rejection)).toHaveLength(length)
      }),
    )
  })
})
