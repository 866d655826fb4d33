import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { MAX_MESSAGE_BYTES } from '@parley/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postOnce } from '../src/outer-request.js'
import { CERTIFICATE, CERTIFICATE_KEY } from './a2a/double/certificate.js'

const BODY = Uint8Array.of(1, 2, 3)

const listen = async (server: Server & { closeAllConnections: () => void }): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

/** A proxy, and what it was asked. */
const startProxy = async (answer: RequestListener) => {
  const asked: { readonly request: IncomingMessage; readonly body: Uint8Array }[] = []
  const host = await listen(
    createServer((request, response) => {
      void buffer(request).then((body) => {
        asked.push({ request, body })
        answer(request, response)
      })
    }),
  )
  return { url: `http://${host}/ohttp`, asked }
}

const post = (url: string) => postOnce({ url, type: 'message/ohttp-req', body: BODY })

const saying =
  (head: readonly [number, Record<string, string>?], body?: string) =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(...head).end(body)
  }

describe('an answer', () => {
  test('is given with its status, its media type and its octets', async () => {
    const { url } = await startProxy(saying([400, { 'content-type': 'a/b' }], 'octets'))
    const { status, type, body } = await post(url)
    expect({ status, type, body: Buffer.from(body).toString() }).toEqual({
      status: 400,
      type: 'a/b',
      body: 'octets',
    })
  })

  test('without a media type has an empty one', async () => {
    const { url } = await startProxy(saying([200]))
    expect(await post(url)).toMatchObject({ status: 200, type: '' })
  })

  test('of 2 MiB is whole', async () => {
    const { url } = await startProxy(saying([200], 'x'.repeat(MAX_MESSAGE_BYTES)))
    expect((await post(url)).body).toHaveLength(MAX_MESSAGE_BYTES)
  })

  test('of one octet more is answer_malformed', async () => {
    const { url } = await startProxy(saying([200], 'x'.repeat(MAX_MESSAGE_BYTES + 1)))
    await expect(post(url)).rejects.toMatchObject({ code: 'answer_malformed' })
  })

  test('that never ends is answer_malformed', async () => {
    const { url } = await startProxy((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    })
    await expect(post(url)).rejects.toMatchObject({ code: 'answer_malformed' })
  })

  test.each([301, 302, 303, 307, 308])(
    'that redirects with %i is relay_unreachable, and is not followed',
    async (status) => {
      const { url, asked } = await startProxy(saying([status, { location: '/other' }]))
      await expect(post(url)).rejects.toMatchObject({ code: 'relay_unreachable' })
      expect(asked).toHaveLength(1)
    },
  )

  test.each<[string, RequestListener]>([
    [
      'that is shorter than it says',
      (_, response) =>
        void response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
    ],
    ['whose chunks do not end', (_, response) => void response.write('x', () => response.destroy())],
    ['that is none', (_, response) => void response.destroy()],
    ['that is no HTTP', (_, response) => void response.socket?.end('CANARY\r\n\r\n')],
    [
      'that speaks another protocol',
      (_, response) =>
        void response.socket?.end('HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('%s is relay_unreachable, and the request is sent once', async (_, answer) => {
    const { url, asked } = await startProxy(answer)
    const error: unknown = await post(url).catch((each: unknown) => each)
    expect(error).toMatchObject({ name: 'AgentError', code: 'relay_unreachable' })
    expect(String(error)).not.toContain('CANARY')
    expect(asked).toHaveLength(1)
  })
})

describe('a request', () => {
  test('holds the octets, their media type, and nothing that tells agents apart', async () => {
    const { url, asked } = await startProxy(saying([200]))
    await post(url)
    const [{ request, body } = {}] = asked
    expect(request?.method).toBe('POST')
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
    ])
    expect(request?.headers['content-type']).toBe('message/ohttp-req')
    expect([...(body ?? [])]).toEqual([...BODY])
  })

  test('after another goes over the same connection', async () => {
    const { url, asked } = await startProxy(saying([200]))
    await post(url)
    await post(url)
    expect(new Set(asked.map(({ request }) => request.socket.remotePort)).size).toBe(1)
  })

  test.each(['ftp://127.0.0.1/ohttp', 'no address', 'http://127.0.0.1:0/ohttp'])(
    'to %s is relay_unreachable',
    async (url) => {
      await expect(post(url)).rejects.toMatchObject({ code: 'relay_unreachable' })
    },
  )

  test('to an address with a user is relay_unreachable, and is not sent', async () => {
    const { url, asked } = await startProxy(saying([200]))
    await expect(post(url.replace('//', '//user:secret@'))).rejects.toMatchObject({
      code: 'relay_unreachable',
    })
    expect(asked).toHaveLength(0)
  })
})

test('a proxy whose certificate nobody vouches for is relay_unreachable, and is asked nothing', async () => {
  const asked: unknown[] = []
  const host = await listen(
    createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
      asked.push(request)
      response.end()
    }),
  )
  await expect(post(`https://${host}/ohttp`)).rejects.toMatchObject({ code: 'relay_unreachable' })
  expect(asked).toHaveLength(0)
})
