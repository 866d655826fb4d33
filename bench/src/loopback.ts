import { once } from 'node:events'
import type { Server } from 'node:http'

/** Has a server listen on a free port of loopback; where that is. */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server has no port')
  return `http://127.0.0.1:${address.port}`
}
