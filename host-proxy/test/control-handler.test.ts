import { expect, test } from 'vitest'
import { REPLICA_LIFETIME_MS } from '../src/index.js'
import { register, seal, startEcho, startTestProxy } from './replica.js'

test('a replica registers, beats, and keeps its id from another until it has been silent', async () => {
  const { proxy, clock } = await startTestProxy()
  expect(await register(proxy, 5, 'http://127.0.0.1:1000')).toBe(201)
  expect(await register(proxy, 5, 'http://127.0.0.1:1000')).toBe(201)
  expect(await register(proxy, 5, 'http://127.0.0.1:2000')).toBe(409)
  clock.nowMs += REPLICA_LIFETIME_MS
  expect(await register(proxy, 5, 'http://127.0.0.1:2000')).toBe(201)
  expect(await register(proxy, 5, 'http://127.0.0.1:1000')).toBe(409)
})

test('a replica that has been silent gets no more requests', async () => {
  const { proxy, clock } = await startTestProxy()
  const replica = await startEcho(Buffer.from('x'))
  await register(proxy, 1, replica.url)
  clock.nowMs += REPLICA_LIFETIME_MS
  expect((await seal(proxy, Buffer.of(1, 2))).status).toBe(400)
  expect(replica.received).toHaveLength(0)
})

const url = 'http://127.0.0.1:1000'
test.each([
  ['an id over one octet', { key_id: 256, url }],
  ['an id below zero', { key_id: -1, url }],
  ['an id as text', { key_id: '1', url }],
  ['an unknown member', { key_id: 1, url, x: 1 }],
  ['no url', { key_id: 1 }],
  ['a url with a path', { key_id: 1, url: `${url}/a` }],
  ['a url with a user', { key_id: 1, url: 'http://u:p@127.0.0.1:1' }],
  ['a url in an array', { key_id: 1, url: [url] }],
  ['a url of another scheme', { key_id: 1, url: 'file:///etc' }],
  ['too many bytes', { key_id: 1, url, pad: 'x'.repeat(1024) }],
])('a registration with %s is refused', async (_, body) => {
  const { proxy } = await startTestProxy()
  const answer = await fetch(`${proxy.controlUrl}/replicas`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(400)
})

test.each([
  ['a member named twice', `{"key_id":1,"key_id":2,"url":"${url}"}`, 400],
  ['a url named twice', `{"key_id":1,"url":"http://127.0.0.1:1","url":"${url}"}`, 400],
  ['a member named twice in two spellings', `{"key_id":1,"key\\u005fid":2,"url":"${url}"}`, 400],
  ['spaces, in another order', `{ "url": "${url}",\n "key_id": 1 }`, 201],
])('a registration with %s is answered as it must be', async (_, body, status) => {
  const { proxy } = await startTestProxy()
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${proxy.controlUrl}/replicas`, { method: 'POST', headers, body })
  expect(answer.status).toBe(status)
})

test('the public listener takes no registrations', async () => {
  const { proxy } = await startTestProxy()
  const answer = await fetch(`${proxy.url}/replicas`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key_id: 1, url }),
  })
  expect(answer.status).toBe(400)
})
