import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The host's answer to the one question that the image asks. */
export type HostMetadata = {
  readonly port: number
  readonly asked: () => number
  readonly close: () => Promise<void>
}

const PATH = '/computeMetadata/v1/instance/attributes/parley-relay'

/** Serves what Terraform writes into a machine's metadata, as Google does. */
export function serveHostMetadata(attribute: object): Promise<HostMetadata> {
  let asked = 0
  const server = createServer((request, response) => {
    const right = request.url === PATH && request.headers['metadata-flavor'] === 'Google'
    if (right) asked += 1
    response.writeHead(right ? 200 : 404).end(right ? JSON.stringify(attribute) : '')
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        port: portOf(server.address()),
        asked: () => asked,
        close: () =>
          new Promise((closed) => {
            server.close(() => {
              closed()
            })
            server.closeAllConnections()
          }),
      })
    })
  })
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
