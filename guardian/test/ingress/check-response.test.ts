import { canonicalBytes, type JsonObject, utf8 } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkResponse,
  issueRejection,
  macKey,
  macKeyOfHex,
  MOST_RESPONSE_BYTES,
  type Receiver,
  type ResponseToCheck,
  signAnswer,
  type TaskAnswer,
} from '../../src/index.js'
import {
  file,
  hmacHex,
  NOW,
  receiverInstance,
  receiverKey,
  recvHex,
  senderInstance,
  senderKey,
} from './pairing.js'

const recv_key = macKeyOfHex(recvHex)
const receiver: Receiver = {
  lane: 'software',
  instance_id: receiverInstance,
  key: receiverKey,
  decoy: macKey(new Uint8Array(32).fill(9)),
}
const digest = 'd1'.repeat(32)
const answer: TaskAnswer = {
  task_id: 'task_0001',
  origin_id: 'peer-a',
  issued_at: NOW,
  status: 'ok',
  data: { verdict: 'MATCH' },
  attachments: [file],
  request_digest: digest,
}
const signed = (change: Partial<TaskAnswer> = {}, by: Partial<Receiver> = {}, key = recv_key) =>
  signAnswer({ ...answer, ...change }, { ...receiver, ...by }, key)
const rejection = (key: typeof recv_key | null = null, by: Partial<Receiver> = {}) =>
  issueRejection({ digest, issued_at: NOW }, { ...receiver, ...by }, key)
const endpoint: ResponseToCheck['endpoint'] = {
  lane: 'software',
  recv_key,
  receiver_key: receiverKey.publicKey,
  instance_id: receiverInstance,
}
const sent = { task_id: 'task_0001', origin_id: 'peer-a', digest }
const check = (response: JsonObject, change: Partial<typeof endpoint> = {}) =>
  checkResponse({ body: canonicalBytes(response), sent, endpoint: { ...endpoint, ...change } })
const reason = (response: JsonObject, change: Partial<typeof endpoint> = {}) => {
  const checked = check(response, change)
  return checked.ok ? checked.value.status : checked.reason
}

describe('A2A-11: an answer', () => {
  test.each(['ok', 'filtered', 'timeout'] as const)(
    'with status %s is believed with data and files',
    (status) => {
      expect(check(signed({ status }))).toMatchObject({
        ok: true,
        value: {
          status,
          instance_id: receiverInstance,
          data: { verdict: 'MATCH' },
          attachments: [{ name: 'data.csv' }],
        },
      })
    },
  )

  test.each<[string, JsonObject, string]>([
    ['to another task', signed({ task_id: 'task_0002' }), 'task_id_mismatch'],
    ['to another origin', signed({ origin_id: 'peer-b' }), 'task_id_mismatch'],
    ['to another request', signed({ request_digest: 'd2'.repeat(32) }), 'request_mismatch'],
    ['under the other direction’s key', signed({}, {}, macKeyOfHex(hmacHex)), 'bad_signature'],
    ['under the decoy', signed({}, {}, receiver.decoy), 'bad_signature'],
    ['by another receiver', signed({}, { key: senderKey }), 'bad_receiver_signature'],
    ['of the other lane', signed({}, { lane: 'confidential' }), 'bad_receiver_signature'],
    [
      'with a file that is not its digest’s',
      signed({ attachments: [{ ...file, sha256: '00'.repeat(32) }] }),
      'attachment_digest_mismatch',
    ],
    ['with a fraction', signed({ data: { verdict: 0.5 } }), 'response_malformed'],
    ['with data that is a list', { ...signed(), data: [] }, 'response_malformed'],
    ['with another status', { ...signed(), status: 'fine' }, 'response_malformed'],
    ['with a member of another version', { ...signed(), reason: 'x' }, 'response_malformed'],
  ])('%s is not believed', (_, response, expected) => {
    expect(reason(response)).toBe(expected)
  })

  test.each(Object.keys(signed()))('without %s is not believed', (member) => {
    const rest = Object.fromEntries(Object.entries(signed()).filter(([name]) => name !== member))
    expect(reason(rest)).toBe('response_malformed')
  })

  test('of which one bit changed is not believed', () => {
    const body = canonicalBytes(signed({ attachments: [] }))
    for (let bit = 0; bit < body.length * 8; bit++) {
      const changed = body.slice()
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      if (checkResponse({ body: changed, sent, endpoint }).ok)
        throw new Error(`bit ${String(bit)} may change`)
    }
  })

  test('that is too large is not read', () => {
    const body = new Uint8Array(MOST_RESPONSE_BYTES + 1)
    expect(checkResponse({ body, sent, endpoint })).toEqual({ ok: false, reason: 'response_too_large' })
  })

  test('of any bytes is believed or not, never thrown', () => {
    fc.assert(fc.property(fc.uint8Array(), (body) => !checkResponse({ body, sent, endpoint }).ok))
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(signed())), fc.jsonValue(), (member, value) => {
        const text = JSON.stringify({ ...signed(), [member]: value }).toWellFormed()
        return typeof checkResponse({ body: utf8(text), sent, endpoint }).ok === 'boolean'
      }),
    )
  })
})

describe('A2A-05: the pin', () => {
  test('of another instance refuses an answer, also one under the right keys', () => {
    expect(reason(signed(), { instance_id: senderInstance })).toBe('instance_id_mismatch')
    expect(reason(rejection(), { instance_id: senderInstance })).toBe('instance_id_mismatch')
  })

  test('of none takes any instance that has the receiver’s key', () => {
    expect(reason(signed({}, { instance_id: senderInstance }), { instance_id: null })).toBe('ok')
    expect(reason(signed({}, { key: senderKey }), { instance_id: null })).toBe('bad_receiver_signature')
  })
})

describe('A2A-13: a rejection', () => {
  test('is the receiver’s, and says whether the pairing was proven', () => {
    expect(check(rejection(recv_key))).toEqual({
      ok: true,
      value: { status: 'rejected', instance_id: receiverInstance, isPaired: true },
    })
    expect(check(rejection())).toMatchObject({ ok: true, value: { status: 'rejected', isPaired: false } })
  })

  test.each<[string, JsonObject, string]>([
    ['unsigned', { ...rejection(), receiver_signature: 'A'.repeat(86) }, 'bad_receiver_signature'],
    ['by someone on the way', rejection(null, { key: senderKey }), 'bad_receiver_signature'],
    [
      'of another request',
      issueRejection({ digest: 'd2'.repeat(32), issued_at: NOW }, receiver, recv_key),
      'request_mismatch',
    ],
    ['made of an answer', { ...signed(), status: 'rejected' }, 'bad_receiver_signature'],
    ['with data', signed({ status: 'rejected' as 'ok', attachments: [] }), 'response_malformed'],
    [
      'that names its task',
      signed({ status: 'rejected' as 'ok', data: {}, attachments: [] }),
      'response_malformed',
    ],
  ])('%s is a failure of the transport', (_, response, expected) => {
    expect(reason(response)).toBe(expected)
  })
})
