import { expect, test } from 'vitest'
import { REPLICA_LIFETIME_MS, Replicas } from '../src/replicas.js'

const A = new URL('http://127.0.0.1:1000')
const B = new URL('http://127.0.0.1:2000')

test('a key id that another live replica holds is refused', () => {
  const replicas = new Replicas(() => 0)
  expect(replicas.register(7, A)).toBe(true)
  expect(replicas.register(7, B)).toBe(false)
  expect(replicas.byKeyId(7)?.url).toBe(A)
})

test('the same pair again is a heartbeat that renews the entry', () => {
  let nowMs = 0
  const replicas = new Replicas(() => nowMs)
  replicas.register(7, A)
  nowMs = REPLICA_LIFETIME_MS - 1
  expect(replicas.register(7, new URL(A))).toBe(true)
  nowMs = 2 * REPLICA_LIFETIME_MS - 2
  expect(replicas.byKeyId(7)).toBeDefined()
})

test('an entry without a heartbeat expires, and its id is free', () => {
  let nowMs = 0
  const replicas = new Replicas(() => nowMs)
  replicas.register(7, A)
  nowMs = REPLICA_LIFETIME_MS
  expect(replicas.byKeyId(7)).toBeUndefined()
  expect(replicas.any()).toBeUndefined()
  expect(replicas.count()).toBe(0)
  expect(replicas.register(7, B)).toBe(true)
  expect(replicas.byKeyId(7)?.url).toBe(B)
})

test('an expired replica is never chosen while another lives', () => {
  let nowMs = 0
  const replicas = new Replicas(() => nowMs)
  replicas.register(1, A)
  nowMs = REPLICA_LIFETIME_MS - 1
  replicas.register(2, B)
  nowMs = REPLICA_LIFETIME_MS
  expect([replicas.any()?.keyId, replicas.any()?.keyId]).toEqual([2, 2])
})
