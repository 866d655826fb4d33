import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A host-proxy of one route, which answers registrations as a test says. */
export type TinyProxy = {
  readonly url: string
  readonly asked: { readonly key_id: number; readonly url: string }[]
}

export async function tinyProxy(answer: (keyId: number) => number): Promise<TinyProxy> {
  const asked: TinyProxy['asked'] = []
  const server = createServer((request, response) => {
    const parts: Uint8Array[] = []
    request.on('data', (part: Uint8Array) => parts.push(part))
    request.on('end', () => {
      const right =
        request.method === 'POST' &&
        request.url === '/replicas' &&
        request.headers['content-type'] === 'application/json'
      const registration = JSON.parse(Buffer.concat(parts).toString()) as TinyProxy['asked'][number]
      asked.push(registration)
      response.writeHead(right ? answer(registration.key_id) : 400).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
