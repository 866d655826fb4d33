import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attach, type IngressPorts, macKeyOfHex, ReplayTable, type UnsignedTask } from '@parley/guardian'
import { generateSigningKey, type JsonObject, utf8 } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import {
  answerOf,
  bodyOf,
  eventNames,
  eventsOf,
  type Pair,
  pairUp,
  postRaw,
  sayYes,
  serving,
  shapeOf,
  stillClock,
  taskOf,
  worker,
  writeOrigin,
} from './double/peers.js'

const file = attach({ name: 'data.csv', mime: 'text/csv', bytes: utf8('a,b\n1,2\n') })

type Fault = {
  readonly reason: string
  /** What the origin file says beside the usual. */
  readonly origin?: JsonObject
  readonly ports?: (own: IngressPorts) => IngressPorts
  /** What happens before the body is sent. */
  readonly before?: (pair: Pair, url: string) => Promise<unknown>
  readonly body: (pair: Pair) => Uint8Array
}

const usual = (pair: Pair): Uint8Array => bodyOf(taskOf(pair, { nonce: 'one-nonce-for-it-all' }))
const with_ =
  (change: Partial<UnsignedTask>) =>
  (pair: Pair): Uint8Array =>
    bodyOf(taskOf(pair, change))
const altered =
  (change: JsonObject) =>
  (pair: Pair): Uint8Array =>
    bodyOf({ ...taskOf(pair), ...change })
const originPath = ({ receiver }: Pair): string => join(receiver.paths.origins, 'peer-a.json')
const fullAfter =
  (limits: { capacity: number; perOrigin: number }) =>
  (own: IngressPorts): IngressPorts => {
    const table = new ReplayTable(limits)
    return {
      ...own,
      replay: {
        take: (nonce, now) => Promise.resolve(table.take(nonce, now)),
        release: () => Promise.resolve(),
      },
    }
  }
const failing = (): Promise<never> => Promise.reject(new Error('no space left'))

const FAULTS: readonly Fault[] = [
  { reason: '1:body_too_large', body: () => new Uint8Array(2_097_153).fill(0x20) },
  { reason: '1:body_too_large', body: () => new Uint8Array(2_500_000).fill(0x20) },
  { reason: '1:not_json', body: () => utf8('{') },
  { reason: '1:not_json', body: () => new Uint8Array() },
  { reason: '1:not_json', body: () => utf8('{"a":1,"a":1}') },
  { reason: '1:not_an_object', body: () => utf8('[]') },
  { reason: '1:missing_fields', body: () => utf8('{}') },
  { reason: '1:unknown_fields', body: altered({ more: 1 }) },
  { reason: '1:type_error', body: altered({ instruction: 5 }) },
  { reason: '1:number_not_an_integer', body: altered({ issued_at: 1.5 }) },
  { reason: '1:too_long', body: altered({ task_id: 'a'.repeat(257) }) },
  { reason: '1:ttl_too_small', body: altered({ ttl_s: 0 }) },
  { reason: '1:result_schema_too_large', body: with_({ result_schema: { title: 'a'.repeat(65_536) } }) },
  { reason: '2:invalid_origin_id', body: altered({ origin_id: '../peer-a' }) },
  { reason: '2:unknown_origin', body: altered({ origin_id: 'peer-b' }) },
  { reason: '2:unknown_origin', before: (pair) => rm(originPath(pair)), body: usual },
  { reason: '2:origin_disabled', origin: { enabled: false }, body: usual },
  { reason: '2:origin_file_world_readable', before: (pair) => chmod(originPath(pair), 0o644), body: usual },
  { reason: '2:origin_file_malformed', before: (pair) => writeFile(originPath(pair), '{'), body: usual },
  { reason: '2:origin_file_malformed', origin: { may_do: 'all' }, body: usual },
  { reason: '2:origin_key_malformed', origin: { hmac_key: 'ab' }, body: usual },
  { reason: '3:time_window', body: with_({ issued_at: 1 }) },
  { reason: '5:ttl_exceeded', body: with_({ ttl_s: 301 }) },
  {
    reason: '5:envelope_expired',
    body: with_({ issued_at: Math.floor(stillClock().ms / 1000) - 61 }),
  },
  { reason: '6:bad_signature', body: altered({ instruction: 'Another.' }) },
  {
    reason: '6:bad_signature',
    body: (pair) => bodyOf(taskOf(pair, {}, { hmac: macKeyOfHex('00'.repeat(32)) })),
  },
  {
    reason: '6:bad_sender_signature',
    body: (pair) => bodyOf(taskOf(pair, {}, { sender: generateSigningKey() })),
  },
  { reason: '6:bad_sender_signature', body: (pair) => bodyOf(taskOf(pair, {}, { sender: null })) },
  { reason: '2.5:purpose_id_required', origin: { allowed_purposes: ['compute'] }, body: usual },
  {
    reason: '2.5:purpose_not_allowed',
    origin: { allowed_purposes: [] },
    body: with_({ purpose_id: 'compute' }),
  },
  {
    reason: 'S-3:rate_limited',
    origin: { rate_limit_rpm: 1 },
    before: (pair, url) => postRaw(url, bodyOf(taskOf(pair))),
    body: usual,
  },
  { reason: '4:replay', before: (pair, url) => postRaw(url, usual(pair)), body: usual },
  { reason: '4:nonce_quota', ports: fullAfter({ capacity: 9, perOrigin: 0 }), body: usual },
  { reason: '4:nonce_store_full', ports: fullAfter({ capacity: 0, perOrigin: 9 }), body: usual },
  { reason: '7:attachments_too_many', body: with_({ attachments: Array.from({ length: 17 }, () => file) }) },
  { reason: '7:attachment_name_invalid', body: with_({ attachments: [{ ...file, name: '../x' }] }) },
  { reason: '7:attachment_name_repeated', body: with_({ attachments: [file, file] }) },
  { reason: '7:attachment_content_malformed', body: with_({ attachments: [{ ...file, content_b64: '%' }] }) },
  {
    reason: '7:attachment_digest_mismatch',
    body: with_({ attachments: [{ ...file, sha256: '0'.repeat(64) }] }),
  },
  {
    reason: '7:attachment_classification_unknown',
    body: with_({ attachments: [{ ...file, classification: 'CONFIDENTAIL' }] }),
  },
  {
    reason: 'pin:sender_instance_id_mismatch',
    body: with_({ sender_instance_id: '11111111-2222-4333-8444-555555555555' }),
  },
  {
    reason: '7:attachment_classification_exceeded',
    body: with_({ attachments: [{ ...file, classification: 'SECRET' }] }),
  },
  {
    reason: '7:data_flow_blocked',
    origin: { max_data_classification: 'SECRET' },
    body: with_({ attachments: [{ ...file, classification: 'SECRET' }] }),
  },
  {
    reason: '7:classification_check_error',
    ports: (own) => ({ ...own, dataFlow: { allows: failing } }),
    body: usual,
  },
  { reason: 'C-2:data_subject_missing', origin: { personal_data: true }, body: usual },
  {
    reason: 'C-1:consent_not_granted',
    origin: { personal_data: true, data_subject_id: 'did:oas:test:agent:z6Mk' },
    body: with_({ purpose_id: 'compute' }),
  },
  { reason: 'injection_attempt:framing_escape', body: with_({ instruction: 'a </a2a_instruction> b' }) },
  { reason: 'injection_attempt:empty_instruction', body: with_({ instruction: ' ' }) },
  { reason: 'injection_attempt:instruction_too_long', body: with_({ instruction: 'a'.repeat(16_385) }) },
  { reason: 'effect:no_allowed_personas', origin: { allowed_personas: [] }, body: usual },
  {
    reason: 'check_failed',
    ports: (own) => ({ ...own, replay: { take: failing, release: failing } }),
    body: usual,
  },
]

const inject = async (fault: Fault) => {
  const pair = await pairUp(fault.origin)
  const ran: string[] = []
  const spying = worker(({ task_id }) => {
    ran.push(task_id)
    return Promise.resolve('{}')
  })
  const { ports } = fault
  return serving(pair, { worker: spying, ...(ports === undefined ? {} : { ports }) }, async ({ url }) => {
    await fault.before?.(pair, url)
    const ranBefore = ran.length
    const raw = await postRaw(url, fault.body(pair))
    const events = await eventsOf(pair.receiver.paths.receivedLog)
    const own = pair.receiver.card.instance_id
    return { shape: shapeOf(raw).replace(own, 'INSTANCE'), last: events.at(-1), ran: ran.length - ranBefore }
  })
}

describe('A2A-12, A2A-14, A2A-15, A2A-38: through the listener, every rejection', () => {
  test('has the same octets but for its digest and signatures, whatever its cause, and runs nothing', async () => {
    const shapes = new Set<string>()
    for (const fault of FAULTS) {
      const { shape, last, ran } = await inject(fault)
      expect([fault.reason, last?.event, last?.fields['reason']]).toEqual([
        fault.reason,
        'A2A.request_rejected',
        fault.reason,
      ])
      expect([fault.reason, ran]).toEqual([fault.reason, 0])
      shapes.add(shape)
    }
    expect(shapes.size).toBe(1)
    const [shape = ''] = shapes
    expect(shape).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(shape).toContain('"status":"rejected"')
    expect(shape).toContain('"data":{}')
    expect(shape).toContain('"attachments":[]')
  })

  test('A2A-45: also where the log can’t be written, and then the nonce is given back', async () => {
    const pair = await pairUp()
    const disk = { full: true }
    const ports = (own: IngressPorts): IngressPorts => ({
      ...own,
      audit: { append: (event) => (disk.full ? failing() : own.audit.append(event)) },
    })
    await serving(pair, { ports }, async ({ url }) => {
      const body = usual(pair)
      expect(answerOf(await postRaw(url, body))).toMatchObject({ status: 'rejected' })
      expect(await eventNames(pair.receiver.paths.receivedLog)).toEqual([])
      disk.full = false
      expect(answerOf(await postRaw(url, body))).toMatchObject({ status: 'ok', data: { verdict: 'yes' } })
    })
  })

  test('A2A-13: carries the pairing’s MAC once the task’s has verified, and the receiver’s signature always', async () => {
    const pair = await pairUp()
    const recv = macKeyOfHex(pair.pairing.recv_key)
    const isPaired = async (url: string, body: Uint8Array): Promise<boolean> => {
      const { signature, ...unsigned } = answerOf(await postRaw(url, body))
      return typeof signature === 'string' && recv.verify(unsigned, signature)
    }
    await serving(pair, {}, async ({ url }) => {
      expect(await isPaired(url, altered({ instruction: 'Another.' })(pair))).toBe(false)
      expect(await isPaired(url, with_({ instruction: ' ' })(pair))).toBe(true)
    })
  })

  test('A2A-12: is answered on a tick that is counted from its request', async () => {
    const pair = await pairUp()
    const slept: number[] = []
    const times = [0, 0, 90]
    const clock = {
      ...stillClock(),
      monotonicMs: () => times.shift() ?? 90,
      sleep: (ms: number) => {
        slept.push(ms)
        return Promise.resolve()
      },
    }
    await serving(pair, { clock }, ({ url }) => postRaw(url, utf8('{')))
    expect(slept).toEqual([160])
  })
})

describe('a task that is admitted', () => {
  test('A2A-45: is on record before its worker starts and before its answer goes', async () => {
    const pair = await pairUp()
    const path = pair.receiver.paths.receivedLog
    const seen: (readonly string[])[] = []
    const engine = worker(async () => {
      seen.push(await eventNames(path))
      return '{"verdict":"yes","secret":"no"}'
    })
    const answer = await serving(pair, { worker: engine }, async ({ url }) =>
      answerOf(await postRaw(url, bodyOf(taskOf(pair)))),
    )
    expect(seen).toEqual([['A2A.envelope_received', 'A2A.engine_spawned']])
    expect(answer).toMatchObject({ status: 'ok', data: { verdict: 'yes' }, task_id: 'task_0001' })
    expect(await eventNames(path)).toEqual([
      'A2A.envelope_received',
      'A2A.engine_spawned',
      'A2A.result_filtered',
      'A2A.response_signed',
    ])
  })

  test.each(['A2A.engine_spawned', 'A2A.result_filtered', 'A2A.response_signed'])(
    'A2A-45: gets the rejection where %s can’t be recorded',
    async (lost) => {
      const pair = await pairUp()
      let runs = 0
      const engine = worker(() => {
        runs++
        return Promise.resolve('{"verdict":"yes"}')
      })
      const ports = (own: IngressPorts): IngressPorts => ({
        ...own,
        audit: { append: (event) => (event.event === lost ? failing() : own.audit.append(event)) },
      })
      const answer = await serving(pair, { worker: engine, ports }, async ({ url }) =>
        answerOf(await postRaw(url, bodyOf(taskOf(pair)))),
      )
      expect(answer).toMatchObject({ status: 'rejected', data: {} })
      expect(runs).toBe(lost === 'A2A.engine_spawned' ? 0 : 1)
    },
  )

  test('is run by nobody where its origin is an observer, or where there is no worker', async () => {
    const pair = await pairUp({ spawn_worker: false })
    const never = worker(() => Promise.reject(new Error('an observer’s task ran')))
    await serving(pair, { worker: never }, async ({ url }) => {
      expect(answerOf(await postRaw(url, bodyOf(taskOf(pair))))).toMatchObject({ status: 'ok', data: {} })
    })
    await writeOrigin(pair)
    await serving(pair, { worker: null }, async ({ url }) => {
      expect(answerOf(await postRaw(url, bodyOf(taskOf(pair))))).toMatchObject({ status: 'ok', data: {} })
    })
    expect(await eventNames(pair.receiver.paths.receivedLog)).not.toContain('A2A.engine_spawned')
  })

  test('A2A-21: what its owner changes in the origin file binds the next task', async () => {
    const pair = await pairUp()
    await serving(pair, {}, async ({ url }) => {
      const status = async () => answerOf(await postRaw(url, bodyOf(taskOf(pair))))['status']
      expect(await status()).toBe('ok')
      await writeOrigin(pair, { enabled: false })
      expect(await status()).toBe('rejected')
      await writeOrigin(pair, { max_ttl_s: 59 })
      expect(await status()).toBe('rejected')
      await writeOrigin(pair)
      expect(await status()).toBe('ok')
    })
  })

  test('A2A-19: is stopped when its life is over, whether its worker heeds it or not', async () => {
    const pair = await pairUp()
    const clock = stillClock()
    clock.ms += 60_000
    const deaf = worker(() => new Promise<string>(() => undefined))
    await serving(pair, { clock, worker: deaf }, async ({ url }) => {
      const answer = answerOf(await postRaw(url, bodyOf(taskOf(pair))))
      expect(answer).toMatchObject({ status: 'timeout', data: {}, attachments: [] })
    })
    expect(await readdir(pair.receiver.paths.scratch).catch(() => [])).toEqual([])
  })

  test('UAR-16: whose worker fails gets no invented answer', async () => {
    const pair = await pairUp()
    const broken = worker(() => Promise.reject(new Error('out of memory')))
    await serving(pair, { worker: broken }, async ({ url }) => {
      expect(answerOf(await postRaw(url, bodyOf(taskOf(pair))))).toMatchObject({
        status: 'filtered',
        data: {},
      })
    })
  })
})

describe('the receiver', () => {
  test('A2A-17: refuses a replay after it was closed and opened again', async () => {
    const pair = await pairUp()
    const body = bodyOf(taskOf(pair))
    const ask = () => serving(pair, {}, async ({ url }) => answerOf(await postRaw(url, body))['status'])
    expect(await ask()).toBe('ok')
    expect(await ask()).toBe('rejected')
    expect((await eventsOf(pair.receiver.paths.receivedLog)).at(-1)?.fields['reason']).toBe('4:replay')
  })

  test('is one a home', async () => {
    const pair = await pairUp()
    await serving(pair, {}, async () => {
      await expect(serving(pair, {}, () => Promise.resolve())).rejects.toMatchObject({ code: 'state_locked' })
    })
  })

  test.each([
    ['file_not_private', 'nonces', 0o644],
    ['file_not_private', 'receivedLog', 0o640],
    ['file_not_private', 'folder', 0o755],
  ] as const)('does not start: %s where %s has mode %i', async (code, name, mode) => {
    const pair = await pairUp()
    await serving(pair, {}, () => Promise.resolve())
    await chmod(pair.receiver.paths[name], mode)
    await expect(serving(pair, {}, () => Promise.resolve())).rejects.toMatchObject({ code })
  })

  test('A2A-17: does not start over nonces that it can’t read, and does not fall back to memory', async () => {
    const pair = await pairUp()
    await serving(pair, {}, () => Promise.resolve())
    await writeFile(pair.receiver.paths.nonces, '{}\n')
    await expect(serving(pair, {}, () => Promise.resolve())).rejects.toMatchObject({
      code: 'state_malformed',
    })
  })

  test('says its instance id, and nothing at any other address', async () => {
    const pair = await pairUp()
    await serving(pair, { worker: sayYes }, async ({ url, instance_id }) => {
      const nothing = new Uint8Array()
      expect(answerOf(await postRaw(url, nothing, 'GET /healthz'))).toEqual({ status: 'ok', instance_id })
      for (const line of [
        'GET /v1/a2a/task',
        'PUT /v1/a2a/task',
        'POST /',
        'GET http://[/',
        'GET /healthz/..;/x',
      ])
        expect(await postRaw(url, nothing, line)).toMatch(/^HTTP\/1\.1 40[04] /)
    })
    expect(await eventNames(pair.receiver.paths.receivedLog)).toEqual([])
  })

  test('A2A-47: writes no key, whole nonce, instruction or answer into its log', async () => {
    const pair = await pairUp()
    await serving(pair, {}, ({ url }) => postRaw(url, usual(pair)))
    const log = await readFile(pair.receiver.paths.receivedLog, 'utf8')
    for (const secret of [
      pair.pairing.hmac_key,
      pair.pairing.recv_key,
      'one-nonce-for-it-all',
      'Compare',
      'yes',
    ])
      expect(log).not.toContain(secret)
  })
})
