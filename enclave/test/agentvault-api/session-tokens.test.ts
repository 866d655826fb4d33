import { expect, test } from 'vitest'
import { createSessionTokens, kindAt, seatOf } from '../../src/agentvault-api/session-tokens.js'
import { fresh } from '../boot.js'

const KINDS = ['initiator_submit', 'initiator_read', 'responder_submit', 'responder_read'] as const
const ID = 'ab'.repeat(32)

test.each(KINDS)('a token of %s is good for that, in its own session', (kind) => {
  const tokens = createSessionTokens(fresh)
  expect(tokens.kindOf(ID, tokens.of(ID, kind))).toBe(kind)
  expect(tokens.kindOf('cd'.repeat(32), tokens.of(ID, kind))).toBeUndefined()
})

test.each(['', 'x', '00'.repeat(32)])('the token %j is good for nothing', (token) => {
  expect(createSessionTokens(fresh).kindOf(ID, token)).toBeUndefined()
})

test('another process has other tokens', () => {
  const token = createSessionTokens(fresh).of(ID, 'initiator_submit')
  expect(createSessionTokens(fresh).kindOf(ID, token)).toBeUndefined()
})

test('each place has two tokens', () => {
  expect(KINDS.map(seatOf)).toEqual([0, 0, 1, 1])
  expect([kindAt(0, 'submit'), kindAt(0, 'read'), kindAt(1, 'submit'), kindAt(1, 'read')]).toEqual(KINDS)
})
