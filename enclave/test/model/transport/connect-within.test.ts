import { createServer, type Server } from 'node:net'
import { CLOSED_DATA_POLICY, type DataPolicy, parseEgressPolicy } from '@parley/guardian'
import { afterEach, expect, test } from 'vitest'
import type { AuditEvent } from '../../../src/audit/audit-log.js'
import type { Connect, HostPort } from '../../../src/model/transport/connect.js'
import { connectDirectly } from '../../../src/model/transport/connect.js'
import { connectWithin } from '../../../src/model/transport/connect-within.js'
import { openChannel } from '../../../src/model/transport/open-channel.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server, and a way to it under whatever name is asked for. */
const stage = async () => {
  const server = createServer((socket) => socket.destroy())
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const asked: HostPort[] = []
  const connect: Connect = (to, signal) => {
    asked.push(to)
    return connectDirectly({ host: '127.0.0.1', port: address.port }, signal)
  }
  return { asked, connect }
}

const allowing = (host: string): DataPolicy => ({
  ...CLOSED_DATA_POLICY,
  egress: parseEgressPolicy({
    version: 'parley-egress-v1',
    allowed_hosts: [{ host, port: 443, region: 'eu' }],
    forbidden_hosts: ['bad.example.eu'],
  }),
})
const signal = () => new AbortController().signal

test('A2A-29: a host that is allowed is connected to', async () => {
  const { asked, connect } = await stage()
  const to = { host: 'api.example.eu', port: 443 }
  const socket = await connectWithin(allowing('api.example.eu'), connect)(to, signal())
  socket.destroy()
  expect(asked).toEqual([to])
})

test.each([
  ['that is not allowed', { host: 'api.example.com', port: 443 }, allowing('api.example.eu')],
  ['that is forbidden', { host: 'bad.example.eu', port: 443 }, allowing('*.example.eu')],
  ['at another port', { host: 'api.example.eu', port: 8443 }, allowing('api.example.eu')],
  ['by address', { host: '127.0.0.1', port: 443 }, allowing('api.example.eu')],
  ['under a policy that says nothing', { host: 'api.example.eu', port: 443 }, CLOSED_DATA_POLICY],
])('A2A-29: a host %s gets no connection, and no socket is opened', async (_, to, policy) => {
  const { asked, connect } = await stage()
  const within = connectWithin(policy, connect)
  await expect(within(to, signal())).rejects.toThrow('egress is denied')
  const channel = await openChannel({ ...to, protection: { kind: 'tls', roots: [] } }, within, signal())
  expect(channel).toEqual({ kind: 'broken', at: 'connect' })
  expect(asked).toEqual([])
})

test.each([
  ['with its name', { host: 'bad.example.eu', port: 443 }, 'bad.example.eu', 'forbidden_explicit'],
  ['without a name that is none', { host: '127.0.0.1', port: 443 }, null, 'host_malformed'],
])('A2A-29: a refused host is in the log before the refusal is told, %s', async (_, to, host, rule) => {
  const { asked, connect } = await stage()
  const events: AuditEvent[] = []
  const append = (event: AuditEvent): Promise<never> => {
    events.push(event)
    return Promise.reject(new Error('the disk is full'))
  }
  const within = connectWithin(allowing('*.example.eu'), connect, { append })
  await expect(within(to, signal())).rejects.toThrow('the disk is full')
  expect(events).toEqual([{ event: 'egress.blocked', fields: { host, port: 443, rule } }])
  expect(asked).toEqual([])
})
