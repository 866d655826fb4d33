import { canonicalize, type JsonObject, type JsonValue, utf8 } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { macKeyOfHex, MOST_TASK_BYTES, readTask } from '../../src/index.js'
import { hasPairingMac, isFromSender } from '../../src/ingress/task-envelope.js'
import { bytes, hmacHex, senderKey, receiverKey, sign, unsignedTask } from './pairing.js'

const signed: JsonObject = sign()
const key = macKeyOfHex(hmacHex)
const reason = (value: JsonValue) => {
  const read = readTask(utf8(canonicalize(value)))
  return read.ok ? 'ok' : read.reason
}
const without = (member: string): JsonObject =>
  Object.fromEntries(Object.entries(signed).filter(([name]) => name !== member))
const REQUIRED = Object.keys(signed).filter((name) => !['purpose_id', 'sender_signature'].includes(name))

describe('A2A-01: a task', () => {
  test('is read with all its members', () => {
    expect(readTask(bytes(signed))).toEqual({ ok: true, value: signed })
  })

  test.each(['purpose_id', 'sender_signature'])('may be without %s', (member) => {
    expect(reason(without(member))).toBe('ok')
  })

  test.each(REQUIRED)('without %s is refused as missing_fields', (member) => {
    expect(reason(without(member))).toBe('missing_fields')
  })

  test.each<[string, JsonValue]>([
    ['no object', [signed]],
    ['a text', 'task'],
    ['null', null],
  ])('that is %s is refused', (_, value) => {
    expect(reason(value)).toBe('not_an_object')
  })

  test.each<[string, JsonObject, string]>([
    ['a member of a later version', { corvin_id_jwt: 'x' }, 'unknown_fields'],
    ['a member named __proto__', JSON.parse('{"__proto__":{}}') as JsonObject, 'unknown_fields'],
    ['an instruction that is a number', { instruction: 5 }, 'type_error'],
    ['an empty instruction', { instruction: '' }, 'type_error'],
    ['an instruction far too long', { instruction: 'x'.repeat(65_537) }, 'too_long'],
    ['a task id too long', { task_id: 'x'.repeat(257) }, 'too_long'],
    ['a purpose too long', { purpose_id: 'x'.repeat(65) }, 'too_long'],
    ['a null purpose', { purpose_id: null }, 'type_error'],
    ['an instance id that is no UUIDv4', { sender_instance_id: 'me' }, 'type_error'],
    [
      'an instance id with a line behind it',
      { sender_instance_id: `${unsignedTask.sender_instance_id}\n` },
      'type_error',
    ],
    ['a nonce too short', { nonce: 'abc' }, 'type_error'],
    ['a nonce with a slash', { nonce: 'a/b'.repeat(9) }, 'type_error'],
    ['a life of 0 s', { ttl_s: 0 }, 'ttl_too_small'],
    ['a life of -1 s', { ttl_s: -1 }, 'ttl_too_small'],
    ['a life beyond a day', { ttl_s: 86_401 }, 'type_error'],
    ['a date with a fraction', { issued_at: 1.5 }, 'number_not_an_integer'],
    ['a date before 1970', { issued_at: -1 }, 'type_error'],
    ['a date as text', { issued_at: '1748390400' }, 'type_error'],
    ['a fraction in its result schema', { result_schema: { multipleOf: 0.5 } }, 'number_not_an_integer'],
    [
      'a number beyond 2^53 in its result schema',
      { result_schema: { a: [2 ** 53] } },
      'number_not_an_integer',
    ],
    ['a result schema that is a list', { result_schema: [] }, 'type_error'],
    ['a result schema too large', { result_schema: { a: 'x'.repeat(65_529) } }, 'result_schema_too_large'],
    ['attachments that are no list', { attachments: {} }, 'type_error'],
    ['an attachment that is a text', { attachments: ['x'] }, 'type_error'],
    ['an attachment without a name', { attachments: [{ mime: 'a/b' }] }, 'missing_fields'],
    ['a MAC in upper case', { signature: 'AB'.repeat(32) }, 'type_error'],
    ['a MAC cut short', { signature: 'ab'.repeat(16) }, 'type_error'],
  ])('with %s is refused', (_, change, expected) => {
    expect(reason({ ...signed, ...change })).toBe(expected)
  })

  test('may have a result schema of the longest canonical text', () => {
    expect(reason({ ...signed, result_schema: { a: 'x'.repeat(65_528) } })).toBe('ok')
  })

  test.each([
    ['a member named twice', canonicalize(signed).replace('{', '{"ttl_s":60,')],
    ['bytes behind it', `${canonicalize(signed)}x`],
    ['a number beyond the doubles', canonicalize(signed).replace('"ttl_s":60', '"ttl_s":1e999')],
    ['nothing in it', ''],
    ['a byte order mark', `\ufeff${canonicalize(signed)}`],
  ])('with %s is refused as not_json', (_, text) => {
    expect(readTask(utf8(text))).toEqual({ ok: false, reason: 'not_json' })
  })

  test('is refused when it is too large, whatever it holds', () => {
    const padded = new Uint8Array(MOST_TASK_BYTES + 1).fill(0x20)
    padded.set(bytes(signed))
    expect(readTask(padded)).toEqual({ ok: false, reason: 'body_too_large' })
    expect(readTask(padded.subarray(1).fill(0x20)).ok).toBe(false)
  })

  test('of any bytes is read or refused, never thrown', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (body) => !readTask(body).ok))
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) => typeof readTask(utf8(JSON.stringify(value).toWellFormed())).ok === 'boolean',
      ),
    )
  })

  test('of any value in any member is read or refused, never thrown', () => {
    const member = fc.constantFrom(...Object.keys(signed))
    fc.assert(
      fc.property(member, fc.jsonValue(), (name, value) => {
        const text = JSON.stringify({ ...signed, [name]: value }).toWellFormed()
        return typeof readTask(utf8(text)).ok === 'boolean'
      }),
    )
  })
})

describe('A2A-03: of a signed task', () => {
  test('no bit can change', () => {
    const body = bytes(signed)
    for (let bit = 0; bit < body.length * 8; bit++) {
      const changed = body.slice()
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const read = readTask(changed)
      if (read.ok && hasPairingMac(read.value, key)) throw new Error(`bit ${String(bit)} may change`)
    }
  })

  test('no member can go', () => {
    for (const member of ['purpose_id', 'sender_signature']) {
      const read = readTask(bytes(without(member)))
      expect(read.ok && hasPairingMac(read.value, key)).toBe(false)
    }
  })
})

describe('the sender of a task', () => {
  const task = sign()
  const unproven = (({ sender_signature, ...rest }) => rest)(task)

  test('is who signed it', () => {
    expect(isFromSender(task, 'software', senderKey.publicKey)).toBe(true)
    expect(isFromSender(unproven, 'software', null)).toBe(true)
  })

  test.each([
    ['of another key', task, 'software', receiverKey.publicKey],
    ['of the other lane', task, 'confidential', senderKey.publicKey],
    ['that left its signature out', unproven, 'software', senderKey.publicKey],
    ['whose signature nobody can check', task, 'software', null],
    ['of another task', { ...task, ttl_s: 61 }, 'software', senderKey.publicKey],
  ] as const)('is refused: one %s', (_, given, lane, sender) => {
    expect(isFromSender(given, lane, sender)).toBe(false)
  })
})
