import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JSON_TYPE, OUTER_PATHS } from '@parley/protocol/routes'
import type { Bar, Candidate, Contest } from '../candidate.js'
import { type ChildForwarder, startForwarder } from './child-forwarder.js'
import { type Client, startClient } from './client.js'
import { type Origin, startOrigin } from './origin.js'

const KIB = 1024
const CONNECTIONS = 8
const KEY_ID = 7

// A registration lives for ten seconds, so it is renewed before each slice, outside of what is measured.
async function register({ controlUrl }: ChildForwarder, origin: Origin): Promise<void> {
  if (controlUrl === null) return
  const body = JSON.stringify({ key_id: KEY_ID, url: origin.url })
  const { status } = await fetch(controlUrl + OUTER_PATHS.replicas, {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE },
    body,
  })
  if (status !== 201) throw new Error(`the origin was not registered: ${status}`)
}

type Way = {
  readonly client: Client
  readonly forwarder: ChildForwarder
  readonly origin: Origin
  readonly body: Uint8Array
}

async function send({ client, forwarder, body }: Way): Promise<void> {
  const { status, bytes } = await client.post(forwarder.url, body)
  if (status !== 200 || bytes !== body.length)
    throw new Error(`forwarding answered ${status} with ${bytes} bytes`)
}

async function assertForwards(way: Way): Promise<void> {
  await register(way.forwarder, way.origin)
  await send(way)
  if (way.origin.lastBody() !== createHash('sha256').update(way.body).digest('hex'))
    throw new Error('a body arrived changed')
}

function forwarding(name: string, way: Way, bar?: Bar): Candidate {
  const cpu = async (times: number): Promise<number> => {
    await register(way.forwarder, way.origin)
    const before = await way.forwarder.cpuMicroseconds()
    let left = times
    const lane = async (): Promise<void> => {
      while (left-- > 0) await send(way)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, lane))
    return (await way.forwarder.cpuMicroseconds()) - before
  }
  return bar === undefined ? { name, cpu } : { name, cpu, bar }
}

async function* contests(size: number, title: string, folder: string): AsyncGenerator<Contest> {
  const body = new Uint8Array(randomBytes(size))
  body[0] = KEY_ID
  const client = startClient(CONNECTIONS)
  const origin = await startOrigin(body)
  const forwarders: ChildForwarder[] = []
  try {
    const start = async (name: string, ...args: readonly string[]): Promise<ChildForwarder> => {
      const forwarder = await startForwarder(name, args)
      forwarders.push(forwarder)
      return forwarder
    }
    const raw = await start('raw-pipe-main', origin.url)
    const silent = await start('proxy-main')
    const logging = await start('proxy-main', join(folder, 'proxy.log'))
    const way = { client, origin, body }
    for (const forwarder of forwarders) await assertForwards({ ...way, forwarder })
    yield {
      title: `forwarding ${title} each way, CPU of the forwarding process`,
      floor: forwarding('raw node:http pipe', { ...way, forwarder: raw }),
      rivals: [
        forwarding('host-proxy', { ...way, forwarder: silent }, { atMost: 1.2 }),
        forwarding('host-proxy, its log in a file', { ...way, forwarder: logging }, { atMost: 1.2 }),
      ],
      sliceMs: 40,
    }
  } finally {
    for (const forwarder of forwarders) await forwarder.stop()
    client.stop()
    origin.stop()
  }
}

/** The host-proxy against the least that forwards HTTP in Node; each in a process of its own, on loopback. */
export async function* benchForward(): AsyncGenerator<Contest> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  try {
    yield* contests(16 * KIB, '16 KiB', folder)
    yield* contests(1024 * KIB, '1 MiB', folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
