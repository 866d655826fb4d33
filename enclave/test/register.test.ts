import { expect, test, vi } from 'vitest'
import type { LogEvent } from '../src/log.js'
import { claimKeyId, keepRegistered } from '../src/register.js'
import { type FakeClock, fakeClock } from './fake-clock.js'
import { tinyProxy } from './tiny-proxy.js'

const URL = 'http://127.0.0.1:9'
const drawing =
  (...ids: number[]) =>
  (): Uint8Array =>
    Uint8Array.of(ids.length > 1 ? (ids.shift() ?? 0) : (ids[0] ?? 0))
/** A clock on which every sleep is over at once. */
const hasty = (): FakeClock => ({
  ...fakeClock(),
  sleepUntil: () => new Promise((resolve) => setImmediate(resolve)),
})

test('an id that is free is claimed with the first draw', async () => {
  const proxy = await tinyProxy(() => 201)
  expect(await claimKeyId({ proxy: proxy.url, url: URL, clock: fakeClock(), random: drawing(42) })).toBe(42)
  expect(proxy.asked).toEqual([{ key_id: 42, url: URL }])
})

test('an id that is in use is left alone, and another drawn', async () => {
  const proxy = await tinyProxy((id) => (id < 3 ? 409 : 201))
  expect(await claimKeyId({ proxy: proxy.url, url: URL, clock: fakeClock(), random: drawing(1, 2, 3) })).toBe(
    3,
  )
  expect(proxy.asked.map(({ key_id }) => key_id)).toEqual([1, 2, 3])
})

test('sixteen ids in use are key_ids_exhausted', async () => {
  const proxy = await tinyProxy(() => 409)
  const claim = claimKeyId({ proxy: proxy.url, url: URL, clock: fakeClock(), random: drawing(1) })
  await expect(claim).rejects.toMatchObject({ code: 'key_ids_exhausted' })
  expect(proxy.asked).toHaveLength(16)
})

test('a host-proxy that comes up late is waited for', async () => {
  let asked = 0
  const proxy = await tinyProxy(() => (++asked < 4 ? 503 : 201))
  expect(await claimKeyId({ proxy: proxy.url, url: URL, clock: hasty(), random: drawing(5) })).toBe(5)
})

test('a host-proxy that never answers is proxy_unreachable', async () => {
  const claim = claimKeyId({ proxy: 'http://127.0.0.1:1', url: URL, clock: hasty(), random: drawing(5) })
  await expect(claim).rejects.toMatchObject({ code: 'proxy_unreachable' })
})

test('a redirect is not followed', async () => {
  const proxy = await tinyProxy(() => 307)
  const claim = claimKeyId({ proxy: proxy.url, url: URL, clock: hasty(), random: drawing(5) })
  await expect(claim).rejects.toMatchObject({ code: 'proxy_unreachable' })
})

test('without a host-proxy the first draw stands', async () => {
  expect(await claimKeyId({ proxy: null, url: URL, clock: fakeClock(), random: drawing(9) })).toBe(9)
})

test('a registration is repeated every two seconds, says when it is lost and when it is back, and stops', async () => {
  let status = 201
  const proxy = await tinyProxy(() => status)
  const clock = fakeClock()
  const logged: LogEvent[] = []
  const registration = { proxy: proxy.url, url: URL, clock, random: drawing(1) }
  const stop = keepRegistered(registration, 7, (event) => void logged.push(event))
  const beats = async (count: number): Promise<void> => {
    await clock.advance(2000)
    await vi.waitFor(() => {
      expect(proxy.asked).toHaveLength(count)
    })
  }
  await beats(1)
  status = 409
  await beats(2)
  await vi.waitFor(() => {
    expect(logged).toHaveLength(2)
  })
  status = 201
  await beats(3)
  await vi.waitFor(() => {
    expect(logged.map(({ event }) => event)).toEqual(['registered', 'registration_lost', 'registered'])
  })
  stop()
  await clock.advance(10_000)
  expect(new Set(proxy.asked.map(({ key_id }) => key_id))).toEqual(new Set([7]))
})
