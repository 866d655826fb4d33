import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { wayOut } from '../../../src/model/transport/way-out.js'
import { never } from '../doubles/requests.js'

const listening = async (asked: string[]): Promise<number> => {
  const server = createServer()
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('a relay of the confidential profile goes through its host-proxy, and nowhere where that refuses', async () => {
  const asked: string[] = []
  const port = await listening(asked)
  const connect = wayOut({ profile: 'confidential', proxy: `http://127.0.0.1:${port}` })
  await expect(connect({ host: 'api.model.test', port: 443 }, never())).rejects.toThrow()
  expect(asked).toEqual(['api.model.test:443'])
})

test('without a host-proxy there is no way out of the confidential profile', async () => {
  const connect = wayOut({ profile: 'confidential', proxy: null })
  const asked: string[] = []
  const port = await listening(asked)
  await expect(connect({ host: '127.0.0.1', port }, never())).rejects.toMatchObject({
    code: 'proxy_unreachable',
  })
  expect(asked).toEqual([])
})

test('a relay of the software profile goes straight there, whatever host-proxy it has', async () => {
  const asked: string[] = []
  const port = await listening(asked)
  const connect = wayOut({ profile: 'software', proxy: 'http://127.0.0.1:1' })
  const socket = await connect({ host: '127.0.0.1', port }, never())
  expect(socket.remotePort).toBe(port)
  socket.destroy()
  expect(asked).toEqual([])
})
