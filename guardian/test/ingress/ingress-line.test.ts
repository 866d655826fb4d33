import { expect, expectTypeOf, test } from 'vitest'
import { INGRESS_STEPS, IngressLine, type IngressStep } from '../../src/index.js'
import type { StepsAfter } from '../../src/ingress/ingress-line.js'

type Seen = { readonly walked: readonly string[] }
const walk = (name: string) => (seen: Seen) => ({
  ok: true as const,
  value: { walked: [...seen.walked, name] },
})
const line = () => IngressLine.from<Seen, 'refused' | 'fault'>('fault')

test('the order of the steps is the one of the specification', () => {
  expect(INGRESS_STEPS.join(' ')).toBe(
    'size schema origin window ttl mac purpose rate replay attachments instance_pin audit classification consent sanitiser effect',
  )
})

test('a line walks its steps in order and answers the last value', async () => {
  const outcome = await line().step('size', walk('size')).step('mac', walk('mac')).run({ walked: [] })
  expect(outcome).toEqual({ ok: true, value: { walked: ['size', 'mac'] } })
})

test('a line that takes its steps in another order does not compile', () => {
  expectTypeOf<StepsAfter<'start'>>().toEqualTypeOf<IngressStep>()
  expectTypeOf<StepsAfter<'classification'>>().toEqualTypeOf<'consent' | 'sanitiser' | 'effect'>()
  expectTypeOf<StepsAfter<'effect'>>().toEqualTypeOf<never>()
})

test('A2A-15: the first failing step ends the walk, and tells what was known before it', async () => {
  const walked: string[] = []
  const outcome = await line()
    .step('size', walk('size'))
    .step('schema', () => ({ ok: false, reason: 'refused' as const }))
    .step('mac', (seen) => {
      walked.push('mac')
      return { ok: true, value: seen }
    })
    .run({ walked: [] })
  expect(outcome).toEqual({ ok: false, step: 'schema', reason: 'refused', seen: { walked: ['size'] } })
  expect(walked).toEqual([])
})

test.each([
  [
    'throws',
    () => {
      throw new Error('disk')
    },
  ],
  ['rejects', () => Promise.reject(new Error('disk'))],
  [
    'throws no error',
    () => {
      throw null as unknown as Error
    },
  ],
])('a step that %s has failed', async (_, check) => {
  const outcome = await line().step('origin', check).run({ walked: [] })
  expect(outcome).toEqual({ ok: false, step: 'origin', reason: 'fault', seen: { walked: [] } })
})
