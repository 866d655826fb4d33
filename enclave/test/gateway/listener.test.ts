import { expect, test } from 'vitest'
import { NOT_FOUND } from '../../src/gateway/outer-response.js'
import { openListener } from '../../src/gateway/listener.js'

const LOOPBACK = { host: '127.0.0.1', port: 0 }

test('before there is somebody to answer, the answer is 503', async () => {
  const seen: number[] = []
  const listener = await openListener(LOOPBACK, (status) => seen.push(status))
  expect((await fetch(listener.url)).status).toBe(503)
  listener.serve(() => Promise.resolve(NOT_FOUND))
  expect((await fetch(listener.url)).status).toBe(404)
  expect(seen).toEqual([503, 404])
  await listener.close()
})

test('a port in use is listen_failed', async () => {
  const listener = await openListener(LOOPBACK, () => undefined)
  const { port } = new URL(listener.url)
  await expect(openListener({ ...LOOPBACK, port: Number(port) }, () => undefined)).rejects.toMatchObject({
    code: 'listen_failed',
  })
  await listener.close()
})

test('an answer that breaks ends its connection, and says nothing', async () => {
  const seen: number[] = []
  const listener = await openListener(LOOPBACK, (status) => seen.push(status))
  listener.serve(() => Promise.reject(new Error('canary')))
  await expect(fetch(listener.url)).rejects.toThrow()
  expect(seen).toEqual([500])
  await listener.close()
})

test('a closed listener is closed though a request never ends', async () => {
  const listener = await openListener(LOOPBACK, () => undefined)
  let asked = (): void => undefined
  const reached = new Promise<void>((resolve) => (asked = resolve))
  listener.serve(() => {
    asked()
    return new Promise(() => undefined)
  })
  const pending = fetch(listener.url).catch(() => 'cut')
  await reached
  await listener.close()
  expect(await pending).toBe('cut')
  await expect(fetch(listener.url)).rejects.toThrow()
})

test('nothing of the relay is said in a header', async () => {
  const listener = await openListener(LOOPBACK, () => undefined)
  const { headers } = await fetch(listener.url)
  expect([...headers.keys()].sort()).toEqual([
    'cache-control',
    'connection',
    'content-length',
    'content-type',
  ])
  await listener.close()
})
