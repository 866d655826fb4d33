import { expect, test } from 'vitest'
import { isOfSubject, subjectPseudonym } from '../../src/audit/index.js'

const salt = (octet: number): Uint8Array => new Uint8Array(32).fill(octet)

test('a subject has one pseudonym under its salt, and another under another', () => {
  expect(subjectPseudonym(salt(1), 'user_4')).toBe(subjectPseudonym(salt(1), 'user_4'))
  expect(subjectPseudonym(salt(1), 'user_4')).not.toBe(subjectPseudonym(salt(2), 'user_4'))
  expect(subjectPseudonym(salt(1), 'user_4')).not.toBe(subjectPseudonym(salt(1), 'user_42'))
  expect(subjectPseudonym(salt(1), 'user_4')).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  ['user_4', 'user_4', true],
  ['user_4', 'user_4:chat', true],
  ['user_4', 'user_42', false],
  ['user_4', 'user_42:chat', false],
  ['user_42', 'user_4', false],
  ['user_4:chat', 'user_4', false],
  ['', 'user_4', false],
  ['did:oas:self:agent:zA', 'did:oas:self:agent:zA', true],
  ['did:oas:self:agent:zA', 'did:oas:self:agent:zAB', false],
  ['did', 'did:oas:self:agent:zA', false],
  ['did:oas:self:agent', 'did:oas:self:agent:zA', false],
])('A2A-49: %j takes %j: %j', (subject, name, taken) => {
  expect(isOfSubject(subject, name)).toBe(taken)
})
