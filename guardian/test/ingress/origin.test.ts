import type { JsonObject, JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOriginId, type Origin, parseOrigin, rightsOf } from '../../src/index.js'
import { hmacHex, originFile, recvHex, unsignedTask } from './pairing.js'

const bare = { origin_id: 'peer-a', hmac_key: hmacHex, recv_key: recvHex }
const origin = (change: JsonObject = {}): Origin => {
  const read = parseOrigin({ ...originFile, ...change })
  if (!read.ok) throw new Error(read.reason)
  return read.value
}
const reason = (value: JsonValue) => {
  const read = parseOrigin(value)
  return read.ok ? 'ok' : read.reason
}

describe('A2A-20: an origin file', () => {
  test('that says no more than its keys gives nothing', () => {
    const read = parseOrigin(bare)
    expect(read).toMatchObject({ ok: true, value: { enabled: false, spawn_worker: false, max_ttl_s: 300 } })
    expect(read).toMatchObject({
      value: { rate_limit_rpm: 60, max_data_classification: 'INTERNAL', sender_key: null },
    })
    expect(read.ok && rightsOf(read.value)).toMatchObject({ mode: 'observer', persona: null, bash: false })
  })

  test.each<[string, JsonValue]>([
    ['a list', []],
    ['null', null],
    ['without keys', { origin_id: 'peer-a' }],
    ['with a member that is not known', { ...bare, admin: true }],
    ['with a name that is a path', { ...bare, origin_id: '../x' }],
    ['with a flag that is a text', { ...bare, enabled: 'true' }],
    ['with an unknown label', { ...bare, max_data_classification: 'TOP' }],
    ['with a life of no seconds', { ...bare, max_ttl_s: 0 }],
    ['with a rate below none', { ...bare, rate_limit_rpm: -1 }],
    ['with a pin that is no UUIDv4', { ...bare, sender_instance_id_pin: 'x' }],
    ['with a label too long', { ...bare, label: 'x'.repeat(81) }],
  ])('that is %s is refused as origin_file_malformed', (_, value) => {
    expect(reason(value)).toBe('origin_file_malformed')
  })

  test.each<[string, JsonObject]>([
    ['cut short', { hmac_key: '01'.repeat(31) }],
    ['in upper case', { recv_key: 'AB'.repeat(32) }],
    ['empty', { hmac_key: '' }],
    ['no DID', { sender_did: 'did:web:x' }],
  ])('with a key that is %s is refused as origin_key_malformed', (_, change) => {
    expect(reason({ ...bare, ...change })).toBe('origin_key_malformed')
  })

  test('of any JSON is read or refused, never thrown', () => {
    const member = fc.constantFrom(...Object.keys(originFile), 'label', 'allowed_tools')
    fc.assert(
      fc.property(member, fc.jsonValue(), (name, value) => {
        const changed = { ...originFile, [name]: value as JsonValue }
        return typeof parseOrigin(changed).ok === 'boolean'
      }),
    )
  })
})

describe('A2A-47: a key', () => {
  test('is not in anything that an origin prints as', () => {
    const printed = JSON.stringify(origin()) + String(Object.values(origin().hmac_key).map(String))
    expect(printed).not.toContain(hmacHex)
    expect(printed).not.toContain(recvHex)
  })
})

describe('A2A-22: rights', () => {
  const all = { allow_bash: true, allow_network: true, allow_write_files: true, allow_subagents: true }

  test('are what the origin grants', () => {
    expect(rightsOf(origin({ ...all, allow_read_files: true }))).toEqual({
      mode: 'executor',
      persona: 'analyst',
      max_ttl_s: 300,
      bash: true,
      network: true,
      read_files: true,
      write_files: true,
      subagents: true,
      allowed_tools: [],
      disallowed_tools: [],
      subagents_restricted: false,
    })
  })

  test.each(['allow_bash', 'allow_network', 'allow_write_files'])(
    'to subagents are withheld while %s is denied',
    (denied) => {
      const rights = rightsOf(origin({ ...all, [denied]: false }))
      expect(rights).toMatchObject({ subagents: false, subagents_restricted: true })
    },
  )

  test('to subagents that nobody granted are not called withheld', () => {
    expect(rightsOf(origin())).toMatchObject({ subagents: false, subagents_restricted: false })
  })
})

describe('an origin id', () => {
  test.each(['peer-a', 'did_x', 'Gr\u00f6\u00dfe', unsignedTask.origin_id, 'a.b'])('may be %s', (id) => {
    expect(isOriginId(id)).toBe(true)
  })

  test.each(['', '.', '..', '.a', 'a/b', 'a\\b', 'c:x', 'a\0', 'a\nb', 'a\u200b', 'x'.repeat(257)])(
    'may not be %j',
    (id) => {
      expect(isOriginId(id)).toBe(false)
    },
  )
})
