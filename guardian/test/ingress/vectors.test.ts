import { readdirSync, readFileSync } from 'node:fs'
import { canonicalize, type JsonObject, parseJson } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { issueRejection, macKeyOfHex, parseWorkerOutput, sanitiseInstruction } from '../../src/index.js'
import { isInWindow, ttlDefect } from '../../src/ingress/time-window.js'
import { bytes, digestOf, NOW, sign, world } from './pairing.js'

const FOLDER = new URL('../../vectors/ingress/', import.meta.url)
const consumed = new Set(['SOURCE.md'])
const read = (file: string): unknown => {
  consumed.add(file)
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}

type Text = {
  readonly input?: string
  readonly printed?: string
  readonly repeat?: readonly [string, number]
}
const textOf = ({ input, printed, repeat }: Text): string =>
  input ?? printed ?? (repeat === undefined ? '' : repeat[0].repeat(repeat[1]))

const task = read('task.json') as JsonObject
const rejection = read('rejection.json') as JsonObject
const mac = read('mac.json') as {
  readonly hmac_key: string
  readonly recv_key: string
  readonly objects: readonly {
    readonly name: string
    readonly key: 'hmac_key' | 'recv_key'
    readonly object: JsonObject
    readonly jcs: string
    readonly mac: string
  }[]
  readonly refused: readonly { readonly name: string; readonly object: JsonObject; readonly mac: string }[]
}
const sanitiser = read('sanitiser.json') as {
  readonly cases: readonly (Text & {
    readonly name: string
    readonly text?: string
    readonly length?: number
    readonly refused?: string
  })[]
}
const time = read('time.json') as {
  readonly now: number
  readonly max_ttl_s: number
  readonly window: readonly { readonly issued_at: number; readonly accept: boolean }[]
  readonly ttl: readonly { readonly ttl_s: number; readonly accept: boolean }[]
}
const output = read('worker-output.json') as {
  readonly cases: readonly (Text & { readonly name: string; readonly data: JsonObject })[]
}

test('the vectors of the ingress are all consumed, and name each case once', () => {
  expect(readdirSync(FOLDER).sort()).toEqual([...consumed].sort())
  for (const cases of [mac.objects, mac.refused, sanitiser.cases, output.cases])
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})

test('the examples of the specification are the vectors, and verify', () => {
  const spec = readFileSync(new URL('../../../protocol/SPEC.md', import.meta.url), 'utf8')
  const [, section = ''] = spec.split(/\n## [0-9]+\. Corvin A2A v4\n/)
  const shown = [...section.matchAll(/```json\n([^`]+)```/g)]
    .slice(0, 2)
    .map(([, text = '']) => parseJson(text))
  expect(shown).toEqual([task, rejection])
  expect(task).toEqual(sign())
  expect(rejection).toEqual(
    issueRejection({ digest: digestOf(bytes(task)), issued_at: NOW }, world().ports.receiver, null),
  )
})

describe('A2A-02: the MAC', () => {
  test.each(mac.objects)('of $name is over its canonical JSON', ({ key, object, jcs, mac: expected }) => {
    expect(canonicalize(object)).toBe(jcs)
    expect(macKeyOfHex(mac[key]).sign(object)).toBe(expected)
    expect(macKeyOfHex(mac[key]).verify(object, expected)).toBe(true)
  })

  test.each(mac.refused)('of $name does not verify', ({ object, mac: other }) => {
    expect(macKeyOfHex(mac.hmac_key).verify(object, other)).toBe(false)
  })
})

describe('the sanitiser', () => {
  test.each(sanitiser.cases.filter(({ refused }) => refused !== undefined))(
    'refuses $name as $refused',
    (each) => {
      expect(sanitiseInstruction(textOf(each))).toEqual({ ok: false, reason: each.refused })
    },
  )

  test.each(sanitiser.cases.filter(({ refused }) => refused === undefined))('passes $name', (each) => {
    const sanitised = sanitiseInstruction(textOf(each))
    if (!sanitised.ok) throw new Error(sanitised.reason)
    if (each.text !== undefined) expect(sanitised.value).toBe(each.text)
    if (each.length !== undefined) expect(sanitised.value).toHaveLength(each.length)
  })
})

describe('A2A-16, A2A-19: time', () => {
  test.each(time.window)('a task of $issued_at is in the window: $accept', ({ issued_at, accept }) => {
    expect(isInWindow(issued_at, time.now)).toBe(accept)
  })

  // What is below 1 the schema refuses: task-envelope.test.ts.
  test.each(time.ttl.filter(({ ttl_s }) => ttl_s >= 1))('a life of $ttl_s s holds: $accept', (each) => {
    const defect = ttlDefect({ issued_at: time.now, ttl_s: each.ttl_s }, time.max_ttl_s, time.now)
    expect(defect === null).toBe(each.accept)
  })
})

describe('A2A-41: what a worker prints', () => {
  test.each(output.cases)('$name', (each) => {
    expect(parseWorkerOutput(textOf(each))).toEqual(each.data)
  })
})
