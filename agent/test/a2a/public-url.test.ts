import { once } from 'node:events'
import { createServer as createPlain } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { checkPublicUrl } from '../../src/a2a/public-url.js'
import { CERTIFICATE, CERTIFICATE_KEY } from './double/certificate.js'

const NOW = Date.UTC(2030, 0, 1)
const LATE = Date.UTC(2119, 11, 25)

const during = async <T>(server: Server, use: (port: number) => Promise<T>): Promise<T> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use((server.address() as AddressInfo).port)
  } finally {
    server.close()
  }
}

const secure = () => createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) => socket.end())

test.each([
  ['public_url_absent', undefined],
  ['public_url_absent', ''],
  ['public_url_malformed', 'peer.example'],
  ['public_url_not_https', 'http://127.0.0.1:9/'],
  ['public_url_not_https', 'ftp://127.0.0.1:9/'],
])('A2A-48: %s is said of %s', async (warning, url) => {
  expect(await checkPublicUrl(url, { nowMs: NOW })).toEqual([warning])
})

test('A2A-48: an address where nobody speaks TLS is said to be unreachable', async () => {
  const plain = createPlain((_, response) => response.end())
  const found = await during(plain, (port) => checkPublicUrl(`https://127.0.0.1:${port}/`, { nowMs: NOW }))
  expect(found).toEqual(['public_url_unreachable'])
})

test.each(['127.0.0.1', 'localhost'])(
  'A2A-48: of a good certificate for %s nothing is said',
  async (host) => {
    const found = await during(secure(), (port) =>
      checkPublicUrl(`https://${host}:${port}/`, { nowMs: NOW, ca: [CERTIFICATE] }),
    )
    expect(found).toEqual([])
  },
)

test('A2A-48: a certificate that no root stands for is said to be refused', async () => {
  const found = await during(secure(), (port) => checkPublicUrl(`https://127.0.0.1:${port}/`, { nowMs: NOW }))
  expect(found).toEqual(['certificate_refused'])
})

test('A2A-48: a certificate that ends within two weeks is said to', async () => {
  const found = await during(secure(), (port) =>
    checkPublicUrl(`https://127.0.0.1:${port}/`, { nowMs: LATE, ca: [CERTIFICATE] }),
  )
  expect(found).toEqual(['certificate_expires_soon'])
})
