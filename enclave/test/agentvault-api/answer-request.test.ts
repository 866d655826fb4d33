import { request } from 'node:http'
import { expect, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../src/agentvault-api/call.js'
import { CEL_CONTRACT } from './artefacts.js'
import { openTestApi } from './open-test-api.js'

const JSON_TYPE = { 'content-type': 'application/json' }

test.each<[string, string, RequestInit, number]>([
  ['an unknown route', '/sessions/x', {}, 404],
  ['a route with an escape', '/inb%6fx', {}, 404],
  ['another method', '/health', { method: 'POST' }, 405],
  ['a method of its own', '/sessions', { method: 'DELETE' }, 405],
  ['a body that is no JSON', '/sessions', { method: 'POST', headers: JSON_TYPE, body: '{' }, 400],
  ['a member named twice', '/sessions', { method: 'POST', headers: JSON_TYPE, body: '{"a":1,"a":2}' }, 400],
  ['a body of another type', '/sessions', { method: 'POST', body: '{}' }, 415],
  ['a body that is no object', '/sessions', { method: 'POST', headers: JSON_TYPE, body: '[]' }, 422],
  [
    'a body over two MiB',
    '/sessions',
    { method: 'POST', headers: JSON_TYPE, body: ' '.repeat(MAX_BODY_BYTES + 1) },
    413,
  ],
])('%s has a status and the one error shape', async (_, path, init, status) => {
  const { url } = await openTestApi()
  const answer = await fetch(url + path, init)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({ error: expect.any(String) as string })
})

test.each(['/x/..\\health', '/x/../health', '/./health'])(
  'the target %s, normalised to a route, is none',
  async (path) => {
    const { url } = await openTestApi()
    const status = await new Promise((resolve) => {
      request(url, { path }, (answer) => {
        resolve(answer.statusCode)
      }).end()
    })
    expect(status).toBe(404)
  },
)

test('a type with a parameter is JSON, too', async () => {
  const { url } = await openTestApi()
  const answer = await fetch(`${url}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ contract: CEL_CONTRACT }),
  })
  expect(answer.status).toBe(200)
})

test('an address that asks too often is 429 until time has passed', async () => {
  const { url, clock } = await openTestApi({ config: { requests_per_minute: 3 } })
  const statuses: number[] = []
  for (let turn = 0; turn < 4; turn++) statuses.push((await fetch(`${url}/health`)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  await clock.advance(20_000)
  expect((await fetch(`${url}/health`)).status).toBe(200)
})
