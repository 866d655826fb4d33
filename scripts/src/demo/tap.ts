import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'

/** A TCP tap on loopback: forwards to one port and keeps every byte that passes, in both directions. */
export type Tap = {
  readonly port: number
  /** All bytes so far. */
  bytes(): Buffer
  close(): Promise<void>
}

/** Starts a tap in front of `127.0.0.1:targetPort()`, which is asked at each connection. */
export async function startTap(targetPort: () => number): Promise<Tap> {
  const chunks: Buffer[] = []
  const sockets = new Set<Socket>()
  const track = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => chunks.push(chunk))
  }
  const server = createServer((downstream) => {
    const upstream = connect(targetPort(), '127.0.0.1')
    track(downstream)
    track(upstream)
    downstream.pipe(upstream)
    upstream.pipe(downstream)
    downstream.on('close', () => upstream.destroy())
    upstream.on('close', () => downstream.destroy())
  })
  const port = await listen(server)
  return {
    port,
    bytes: () => Buffer.concat(chunks),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => {
          resolve()
        })
      }),
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      resolve(portOf(server.address()))
    })
  })
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the tap has no port')
  return address.port
}
