import { expect, test } from 'vitest'
import { isRefusal, refusalBody, refuse } from '../../src/agentvault-api/answer.js'

test.each([
  ['contract_refused', 400, 'Contract validation failed'],
  ['unauthorized', 401, 'UNAUTHORIZED'],
  ['invite_conflict', 409, 'Invite state conflict'],
  ['output_refused', 422, 'Output schema validation failed'],
  ['policy_violated', 422, 'OUTPUT_POLICY_VIOLATION'],
  ['api_failed', 500, 'Internal error'],
  ['provider_failed', 502, 'Provider error'],
  ['unavailable', 503, 'SERVICE_UNAVAILABLE'],
] as const)('%s is said as theirs says it', (code, status, error) => {
  expect(refusalBody(refuse(code))).toEqual({ status, body: { error } })
})

test('a detail stands after the text', () => {
  expect(refusalBody(refuse('contract_refused', 'why')).body).toEqual({
    error: 'Contract validation failed: why',
  })
})

test('an answer is no refusal', () => {
  expect([isRefusal({ body: {} }), isRefusal(refuse('unauthorized'))]).toEqual([false, true])
})
