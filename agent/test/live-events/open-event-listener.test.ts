import { request } from 'node:http'
import { connect } from 'node:net'
import { type LiveEvent, LiveEvents, Run } from '@parley/guardian'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEventListener } from '../../src/live-events/open-event-listener.js'

const TOKEN = 't'.repeat(32)
const BEARER = { authorization: `Bearer ${TOKEN}` }
const event = (seq: number, name: LiveEvent['record']['event'] = 'run.started'): LiveEvent =>
  ({ record: { event: name, fields: { run_id: 'run-1', seq } }, content: null }) as LiveEvent

const opened = async (live: LiveEvents, mostWaiting?: number) => {
  const runs = (id: string): LiveEvents | undefined => (id === 'run-1' ? live : undefined)
  const listener = await openEventListener({
    runs,
    token: TOKEN,
    ...(mostWaiting === undefined ? {} : { mostWaiting }),
  })
  onTestFinished(() => listener.close())
  return `${listener.url}/v1/runs/run-1/events`
}

type Told = { readonly id: number | null; readonly event: string }

/** What a reader is told until the stream ends. */
const read = async (
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Told[]> => {
  const answer = await fetch(url, { headers: { ...BEARER, ...headers } })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const blocks = (await answer.text()).split('\n\n').slice(0, -1)
  return blocks.map((block) => {
    const lines = new Map(
      block.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]),
    )
    const id = lines.get('id')
    return { id: id === undefined ? null : Number(id), event: lines.get('event') ?? '' }
  })
}
const numbers = (told: readonly Told[]): (number | null)[] => told.map(({ id }) => id)

/** A run that has happened. */
const over = (count: number, most?: { events: number; characters: number }): LiveEvents => {
  const live = new LiveEvents(most)
  for (let seq = 0; seq < count - 1; seq += 1) live.publish(event(seq))
  live.publish(event(count - 1, 'run.completed'))
  return live
}

describe('UAR-20: the live events of a run, over HTTP', () => {
  test('are told from the first to the one that ends it, without a gap, and the stream ends', async () => {
    const live = new LiveEvents()
    const run = await Run.start({
      id: 'run-1',
      identify: () => undefined,
      evidence: () => Promise.resolve(),
      live,
    })
    const url = await opened(live)
    const answer = await fetch(url, { headers: BEARER })
    await run.end('completed')
    expect(await run.end('failed')).toBe(false)
    const text = await answer.text()
    expect(text.match(/^id: \d+$/gm)).toEqual(['id: 0', 'id: 1'])
    expect(text.match(/^event: .*$/gm)).toEqual(['event: run.started', 'event: run.completed'])
  })

  test('go on after the number that a reader has', async () => {
    const told = await read(await opened(over(6)), { 'last-event-id': '3' })
    expect(numbers(told)).toEqual([4, 5])
  })

  test('that are gone for good are said to be gone, and the others follow', async () => {
    const told = await read(await opened(over(6, { events: 3, characters: 1000 })))
    expect(told[0]).toEqual({ id: null, event: 'gone' })
    expect(numbers(told.slice(1))).toEqual([3, 4, 5])
  })

  test('have one end, however many read', async () => {
    const live = new LiveEvents()
    live.publish(event(0))
    const url = await opened(live)
    const readers = [await fetch(url, { headers: BEARER }), await fetch(url, { headers: BEARER })]
    live.publish(event(1, 'run.failed'))
    live.publish(event(2, 'run.completed'))
    for (const reader of readers)
      expect((await reader.text()).match(/^event: run\.(?!started)/gm)).toHaveLength(1)
  })

  test('of which a reader has the end are none: 204, so that it does not come back', async () => {
    const answer = await fetch(await opened(over(3)), { headers: { ...BEARER, 'last-event-id': '2' } })
    expect(answer.status).toBe(204)
  })
})

test('a reader that does not read is dropped, and the run does not wait for it', async () => {
  const live = new LiveEvents()
  const url = new URL(await opened(live, 65_536))
  const socket = connect(Number(url.port), '127.0.0.1')
  socket.pause()
  // The kernel takes some before anything waits in the process; the connection may be reset.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve()
    })
  })
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`)
  const left = { listening: 0, ever: 0 }
  const listen = live.listen.bind(live)
  live.listen = (listener) => {
    left.listening += 1
    left.ever += 1
    const leave = listen(listener)
    let isGone = false
    return () => {
      if (!isGone) left.listening -= 1
      isGone = true
      leave()
    }
  }
  while (left.ever === 0) await new Promise((resolve) => setImmediate(resolve))
  const content = 'x'.repeat(100_000)
  for (let seq = 0; left.listening > 0 && seq < 1000; seq += 1) {
    live.publish({ ...event(seq), content })
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(left.listening).toBe(0)
  live.publish(event(1000, 'run.completed'))
  socket.resume()
  await closed
})

describe('who may read', () => {
  /** By hand, since fetch does not let the caller choose its Host. */
  const status = async (
    url: string,
    headers: Readonly<Record<string, string>>,
    method = 'GET',
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request(url, { headers, method }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      asked.on('error', reject)
      asked.end()
    })

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['no token', {}, 401],
    ['another token', { authorization: `Bearer ${'u'.repeat(32)}` }, 401],
    ['a part of the token', { authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
    ['a token of another scheme', { authorization: `Basic ${TOKEN}` }, 401],
    ['a page that calls this host by a name of its own', { ...BEARER, host: 'evil.example' }, 401],
    ['a page of another origin', { ...BEARER, origin: 'http://evil.example' }, 401],
    ['a number that is none', { ...BEARER, 'last-event-id': '-1' }, 400],
    ['a number with a line in it', { ...BEARER, 'last-event-id': '1 2' }, 400],
  ])('%s is refused', async (_, headers, expected) => {
    expect(await status(await opened(over(2)), headers)).toBe(expected)
  })

  test.each([
    ['another run', '/v1/runs/run-2/events', 'GET'],
    ['another path', '/v1/runs/run-1/events/', 'GET'],
    ['another method', '/v1/runs/run-1/events', 'POST'],
  ])('%s is not there', async (_, path, method) => {
    const { origin } = new URL(await opened(over(2)))
    expect(await status(`${origin}${path}`, BEARER, method)).toBe(404)
  })

  test('a short token is argument_invalid', async () => {
    const short = openEventListener({ runs: () => undefined, token: 'x' })
    await expect(short).rejects.toMatchObject({ code: 'argument_invalid' })
  })
})
