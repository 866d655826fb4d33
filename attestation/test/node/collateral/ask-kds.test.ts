import { afterEach, describe, expect, it } from 'vitest'
import { httpGet } from '../../../src/node/collateral/http-get.js'
import { askKds, type HttpGet, type KdsOptions, type Timer } from '../../../src/node/index.js'
import { codeOf } from '../../evidence-folder.js'
import { type KdsAnswer, type KdsServer, serveKds } from './kds-server.js'

const PATH = '/vcek/v1/Milan/cert_chain'
const BYTES = Uint8Array.of(1, 2, 3)
const NOW = Date.UTC(2026, 10, 30, 12, 0, 0)

const inAHurry: HttpGet = (url, limits) => httpGet(url, { ...limits, timeoutMs: 200 })

const servers: KdsServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** A double that answers PATH so, and somebody who asks it, under a clock that only waiting moves. */
const asking = async (answers: KdsAnswer[], options: Partial<KdsOptions> = {}) => {
  const server = await serveKds({ [PATH]: answers })
  servers.push(server)
  const waits: number[] = []
  const timer: Timer = {
    now: () => 0,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
  }
  return { server, waits, ask: askKds({ url: server.url, nowMs: NOW, timer, ...options }) }
}

describe('a question to KDS', () => {
  it('is answered with the bytes that it sends', async () => {
    const { ask, server, waits } = await asking([BYTES])
    expect(await ask(PATH)).toEqual(BYTES)
    expect([server.asked, waits]).toEqual([[PATH], []])
  })

  it('goes to a mirror below a path, whether or not that ends in a slash', async () => {
    const { server } = await asking([])
    server.table[`/mirror${PATH}`] = [BYTES]
    for (const url of [`${server.url}/mirror`, `${server.url}/mirror/`]) {
      expect(await askKds({ url, nowMs: NOW })(PATH)).toEqual(BYTES)
    }
  })

  it.each(['http://kdsintf.amd.com', 'ftp://127.0.0.1', 'kdsintf.amd.com', ''])(
    'does not go to %s',
    async (url) => {
      expect(await codeOf(() => askKds({ url, nowMs: NOW }))).toBe('argument_invalid')
    },
  )
})

describe('a KDS that is asked too often', () => {
  it.each([
    ['as long as it says', '7', [7000]],
    ['until the date that it says', new Date(NOW + 30_000).toUTCString(), [30_000]],
    ['not at all for a date that has passed', new Date(NOW - 30_000).toUTCString(), [0]],
    ['its usual ten seconds where it says nothing', undefined, [10_000]],
    ['its usual ten seconds where that is nonsense', 'soon', [10_000]],
  ])('is waited for %s', async (_, retryAfter, expected) => {
    const throttled = { status: 429, ...(retryAfter === undefined ? {} : { retryAfter }) }
    const { ask, waits } = await asking([throttled, BYTES])
    expect(await ask(PATH)).toEqual(BYTES)
    expect(waits).toEqual(expected)
  })

  it('is not waited for where it wants more than a minute', async () => {
    const { ask, server, waits } = await asking([{ status: 429, retryAfter: '3600' }, BYTES])
    expect(await codeOf(() => ask(PATH))).toBe('collateral_throttled')
    expect([server.asked.length, waits]).toEqual([1, []])
  })

  it('is given up after four tries, each waited for twice as long', async () => {
    const { ask, server, waits } = await asking([{ status: 429 }])
    expect(await codeOf(() => ask(PATH))).toBe('collateral_throttled')
    expect([server.asked.length, waits]).toEqual([4, [10_000, 20_000, 40_000]])
  })
})

describe('a KDS that has no answer', () => {
  it.each([400, 403, 404])('by status %i is not asked again', async (status) => {
    const { ask, server } = await asking([{ status }, BYTES])
    expect(await codeOf(() => ask(PATH))).toBe('collateral_unavailable')
    expect(server.asked).toHaveLength(1)
  })

  it('by a redirect is not followed: its certificates are to come from where they were asked for', async () => {
    const { ask, server } = await asking([{ status: 302, location: '/elsewhere' }])
    server.table['/elsewhere'] = [BYTES]
    expect(await codeOf(() => ask(PATH))).toBe('collateral_unavailable')
    expect(server.asked).toEqual([PATH])
  })

  it.each<[string, KdsAnswer]>([
    ['status 500', { status: 500 }],
    ['status 503', { status: 503 }],
    ['a connection that breaks', 'reset'],
  ])('by %s is asked again', async (_, answer) => {
    const { ask, waits } = await asking([answer, answer, BYTES])
    expect(await ask(PATH)).toEqual(BYTES)
    expect(waits).toEqual([10_000, 20_000])
  })

  it('for hours is given up after four tries', async () => {
    const { ask, server } = await asking([{ status: 500 }])
    expect(await codeOf(() => ask(PATH))).toBe('collateral_unavailable')
    expect(server.asked).toHaveLength(4)
  })

  it('by an answer that does not end is given up', async () => {
    const { ask, server } = await asking(['hang', BYTES], { get: inAHurry })
    expect(await ask(PATH)).toEqual(BYTES)
    expect(server.asked).toHaveLength(2)
  })

  it('by an answer without an end to its size is given up', async () => {
    const { ask } = await asking([new Uint8Array((1 << 16) + 1), BYTES])
    expect(await ask(PATH)).toEqual(BYTES)
  })
})
