import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  listenOn,
  readBody,
  register,
  seal,
  seen,
  startEcho,
  startReplica,
  startTestProxy,
} from './replica.js'

const sealed = (keyId: number, size: number): Buffer =>
  Buffer.concat([Buffer.of(keyId), randomBytes(size - 1)])
const PLAIN = 'refused\n'

describe('a sealed request', () => {
  test.each([2, 4096, 65_536, 2 * 1024 * 1024])(
    'of %i bytes reaches the replica of its key id unchanged',
    async (size) => {
      const { proxy } = await startTestProxy()
      const response = randomBytes(4096)
      const [one, two] = await Promise.all([startEcho(response), startEcho(response)])
      await register(proxy, 1, one.url)
      await register(proxy, 2, two.url)
      const body = sealed(2, size)
      const answer = await seal(proxy, body)
      expect(answer.status).toBe(200)
      expect(Buffer.from(await answer.arrayBuffer()).equals(response)).toBe(true)
      expect(one.received).toHaveLength(0)
      expect(two.received[0]?.body.equals(body)).toBe(true)
      expect(two.received[0]?.url).toBe('/ohttp')
    },
  )

  test('reaches a replica at an IPv6 address', async () => {
    const { proxy } = await startTestProxy()
    const url = await listenOn((_, outgoing) => outgoing.end('six'), '::1')
    expect(await register(proxy, 1, url)).toBe(201)
    const answer = await seal(proxy, sealed(1, 64))
    expect([answer.status, await answer.text()]).toEqual([200, 'six'])
  })

  test('loses every header but type and length, in both directions', async () => {
    const { proxy } = await startTestProxy()
    const replica = await startEcho(Buffer.from('x'))
    await register(proxy, 1, replica.url)
    const answer = await seal(proxy, sealed(1, 64), {
      cookie: 'c=1',
      authorization: 'Bearer t',
      forwarded: 'for=10.0.0.1',
      'x-forwarded-for': '10.0.0.1',
      via: '1.1 x',
      'x-anything': 'y',
    })
    expect(Object.keys(replica.received[0]?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
    ])
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('server')).toBeNull()
    expect(answer.headers.get('content-type')).toBe('message/ohttp-res')
  })

  test('of an unknown key is answered with the problem type of OHTTP', async () => {
    const { proxy } = await startTestProxy()
    const answer = await seal(proxy, sealed(9, 64))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#ohttp-key',
    })
  })

  test.each([
    ['without a body', { body: '' }],
    ['of another media type', { body: 'x', headers: { 'content-type': 'message/ohttp-res' } }],
    ['with a media type parameter', { body: 'x', headers: { 'content-type': 'message/ohttp-req; a=b' } }],
    ['with a query', { body: 'x', path: '/ohttp?key_id=1' }],
    ['on another path', { body: 'x', path: '/ohttp/' }],
    ['by another method', { body: 'x', method: 'PUT' }],
  ])(
    '%s is the same plain 400',
    async (_, {
      body,
      headers,
      path = '/ohttp',
      method = 'POST',
    }: {
      body: string
      headers?: Record<string, string>
      path?: string
      method?: string
    }) => {
      const { proxy } = await startTestProxy()
      const replica = await startEcho(Buffer.from('x'))
      await register(proxy, 'x'.charCodeAt(0), replica.url)
      const type = { 'content-type': 'message/ohttp-req' }
      const answer = await fetch(proxy.url + path, { method, headers: { ...type, ...headers }, body })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toBe(PLAIN)
      expect(replica.received).toHaveLength(0)
    },
  )

  test('over 2 MiB by its content-length is refused before a byte of it is forwarded', async () => {
    const { proxy, sightings } = await startTestProxy()
    const replica = await startEcho(Buffer.from('x'))
    await register(proxy, 1, replica.url)
    const answer = await seal(proxy, sealed(1, 2 * 1024 * 1024 + 1)).catch(() => undefined)
    if (answer !== undefined) expect(answer.status).toBe(400)
    await seen(sightings, 1)
    expect(sightings[0]).toMatchObject({ key_id: null, request_class: null })
    expect(replica.received).toHaveLength(0)
  })

  test('over 2 MiB in chunks never reaches the replica whole', async () => {
    const { proxy, sightings } = await startTestProxy()
    const replica = await startEcho(Buffer.from('x'))
    await register(proxy, 1, replica.url)
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 33; i++) controller.enqueue(sealed(1, 65_536))
        controller.close()
      },
    })
    const request = {
      method: 'POST',
      headers: { 'content-type': 'message/ohttp-req' },
      body: chunks,
      duplex: 'half',
    }
    const answer = await fetch(`${proxy.url}/ohttp`, request as RequestInit).catch(() => undefined)
    if (answer !== undefined) expect(answer.status).toBe(400)
    await seen(sightings, 1)
    expect(sightings[0]).toMatchObject({ key_id: 1, request_class: null })
    expect(replica.received).toHaveLength(0)
  })

  test('in chunks reaches the replica unchanged, and its size class is seen', async () => {
    const { proxy, sightings } = await startTestProxy()
    const replica = await startEcho(Buffer.from('x'))
    await register(proxy, 1, replica.url)
    const chunks = [sealed(1, 1), sealed(2, 5000), sealed(3, 5000)]
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    const request = { method: 'POST', headers: { 'content-type': 'message/ohttp-req' }, body, duplex: 'half' }
    const answer = await fetch(`${proxy.url}/ohttp`, request)
    expect(await answer.text()).toBe('x')
    expect(replica.received[0]?.body.equals(Buffer.concat(chunks))).toBe(true)
    await seen(sightings, 1)
    expect(sightings[0]).toMatchObject({ key_id: 1, request_class: 16_384 })
  })

  test('is sent once only when its replica dies in the middle of it', async () => {
    const { proxy, sightings } = await startTestProxy()
    let attempts = 0
    const url = await listenOn((incoming) => {
      attempts++
      incoming.once('data', () => incoming.socket.destroy())
    })
    await register(proxy, 1, url)
    const answer = await seal(proxy, sealed(1, 4096))
    expect(answer.status).toBe(502)
    expect(await answer.text()).toBe(PLAIN)
    expect(attempts).toBe(1)
    await seen(sightings, 1)
    expect(sightings[0]).toMatchObject({ status: 502 })
  })

  test('is sent once only when a kept connection turns out to be dead', async () => {
    const { proxy } = await startTestProxy()
    const attempts: number[] = []
    const url = await listenOn((incoming, outgoing) => {
      attempts.push(incoming.socket.remotePort ?? 0)
      void readBody(incoming).then(() =>
        attempts.length === 1 ? outgoing.end('x') : incoming.socket.destroy(),
      )
    })
    await register(proxy, 1, url)
    expect((await seal(proxy, sealed(1, 64))).status).toBe(200)
    expect((await seal(proxy, sealed(1, 64))).status).toBe(502)
    expect(attempts).toHaveLength(2)
    expect(attempts[0]).toBe(attempts[1])
  })

  test('whose answer breaks off is cut, never completed by the proxy', async () => {
    const { proxy, sightings } = await startTestProxy()
    const replica = await startReplica((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': 100 })
      outgoing.write('half', () => outgoing.destroy())
    })
    await register(proxy, 1, replica.url)
    const answer = await seal(proxy, sealed(1, 64))
    await expect(answer.arrayBuffer()).rejects.toThrow()
    await seen(sightings, 1)
    expect(sightings[0]).toMatchObject({ status: null })
  })

  test('whose answer is over 2 MiB is not passed on', async () => {
    const { proxy } = await startTestProxy()
    const declared = await startEcho(Buffer.alloc(2 * 1024 * 1024 + 1))
    const chunked = await startReplica((_, outgoing) => {
      outgoing.write(Buffer.alloc(1024 * 1024))
      outgoing.end(Buffer.alloc(1024 * 1024 + 1))
    })
    await register(proxy, 1, declared.url)
    await register(proxy, 2, chunked.url)
    expect((await seal(proxy, sealed(1, 64))).status).toBe(502)
    const answer = await seal(proxy, sealed(2, 64))
    await expect(answer.arrayBuffer()).rejects.toThrow()
  })

  test('that a replica does not answer in time is 502', async () => {
    const { proxy } = await startTestProxy({ upstream_timeout_ms: 50 })
    const replica = await startReplica(() => undefined)
    await register(proxy, 1, replica.url)
    expect((await seal(proxy, sealed(1, 64))).status).toBe(502)
  })

  test('that nobody accepts is 502', async () => {
    const { proxy } = await startTestProxy()
    await register(proxy, 1, 'http://127.0.0.1:1')
    expect((await seal(proxy, sealed(1, 64))).status).toBe(502)
  })

  test('whose sender leaves is given up at the replica too', async () => {
    const { proxy } = await startTestProxy()
    const leave = new AbortController()
    const closed = new Promise<void>((resolve) => {
      void listenOn((incoming) => {
        incoming.socket.once('close', () => {
          resolve()
        })
        leave.abort()
      }).then(async (url) => {
        await register(proxy, 1, url)
        await seal(proxy, sealed(1, 64), {}, leave.signal).catch(() => undefined)
      })
    })
    await closed
  })

  test('travels over a kept connection', async () => {
    const { proxy } = await startTestProxy()
    const replica = await startEcho(Buffer.from('x'))
    await register(proxy, 1, replica.url)
    for (let i = 0; i < 3; i++) await (await seal(proxy, sealed(1, 64))).arrayBuffer()
    expect(new Set(replica.received.map(({ port }) => port)).size).toBe(1)
  })
})

describe('an evidence request', () => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } }

  test('goes to the replica that it names, or to each in turn', async () => {
    const { proxy } = await startTestProxy()
    const [one, two] = await Promise.all([startEcho(Buffer.from('1')), startEcho(Buffer.from('2'))])
    await register(proxy, 1, one.url)
    await register(proxy, 2, two.url)
    expect(await (await fetch(`${proxy.url}/evidence?key_id=2`)).text()).toBe('2')
    expect(
      await (await fetch(`${proxy.url}/evidence?key_id=1`, { ...post, body: '{"nonce":"n"}' })).text(),
    ).toBe('1')
    const turns = [await fetch(`${proxy.url}/evidence`), await fetch(`${proxy.url}/evidence`)]
    expect(new Set(await Promise.all(turns.map((turn) => turn.text())))).toEqual(new Set(['1', '2']))
    expect(one.received.map(({ url }) => url)).toContain('/evidence')
    expect(one.received.find(({ body }) => body.length > 0)?.body.toString()).toBe('{"nonce":"n"}')
  })

  test.each(['?key_id=256', '?key_id=01', '?key_id=', '?key_id=1&key_id=2', '?other=1', '?key_id=1?'])(
    'with the query %s is refused',
    async (query) => {
      const { proxy } = await startTestProxy()
      const replica = await startEcho(Buffer.from('1'))
      await register(proxy, 1, replica.url)
      expect((await fetch(`${proxy.url}/evidence${query}`)).status).toBe(400)
      expect(replica.received).toHaveLength(0)
    },
  )

  test('over 4 KiB is refused', async () => {
    const { proxy } = await startTestProxy()
    const replica = await startEcho(Buffer.from('1'))
    await register(proxy, 1, replica.url)
    const answer = await fetch(`${proxy.url}/evidence`, { ...post, body: 'x'.repeat(4097) })
    expect(answer.status).toBe(400)
    expect(replica.received).toHaveLength(0)
  })

  test('is 503 where no replica lives, and an unknown key where the named one does not', async () => {
    const { proxy } = await startTestProxy()
    expect((await fetch(`${proxy.url}/evidence`)).status).toBe(503)
    expect((await fetch(`${proxy.url}/evidence?key_id=3`)).headers.get('content-type')).toBe(
      'application/problem+json',
    )
  })
})
