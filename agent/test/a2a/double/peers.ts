import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import {
  type EvidencePort,
  type IngressPorts,
  macKeyOfHex,
  signTask,
  type TaskEnvelope,
  type TaskKeys,
  type UnsignedTask,
} from '@parley/guardian'
import { canonicalBytes, type JsonObject, parseJson } from '@parley/protocol'
import { a2aPaths } from '../../../src/a2a/a2a-paths.js'
import { cardOf, type InstanceCard, ownInstanceId } from '../../../src/a2a/instance-id.js'
import { drawPairing, endpointFileOf, originFileOf, type Pairing } from '../../../src/a2a/pairing.js'
import { writePairingFile } from '../../../src/a2a/pairing-folder.js'
import type { ReceiverClock } from '../../../src/a2a/receiver-clock.js'
import { type RunningReceiver, withReceiver } from '../../../src/a2a/with-receiver.js'
import type { Worker } from '../../../src/a2a/worker.js'
import { createIdentity, type Identity } from '../../../src/index.js'
import { freshFolder, testClock } from '../../double/stage.js'

export type Peer = {
  readonly home: string
  readonly identity: Identity
  readonly card: InstanceCard
  readonly paths: ReturnType<typeof a2aPaths>
}

export const startPeer = async (): Promise<Peer> => {
  const home = await freshFolder()
  const identity = await createIdentity(join(home, 'identity.json'))
  const paths = a2aPaths(home)
  return { home, identity, paths, card: cardOf(identity, await ownInstanceId(paths.instanceId)) }
}

/** A clock that stands still unless the test moves it; sleeping moves nothing. */
export const stillClock = (): ReceiverClock & { ms: number } => {
  const clock = testClock()
  return Object.assign(clock, { monotonicMs: () => 0, sleep: () => Promise.resolve() })
}

export const URL_OF_NOBODY = 'http://127.0.0.1:9'

export type Pair = { readonly sender: Peer; readonly receiver: Peer; readonly pairing: Pairing }

/** Two homes of which one may give the other tasks. */
export const pairUp = async (origin: JsonObject = {}): Promise<Pair> => {
  const [sender, receiver] = [await startPeer(), await startPeer()]
  const pairing = drawPairing(
    { receiver: receiver.card, sender: sender.card, url: URL_OF_NOBODY },
    { origin_id: 'peer-a', max_ttl_s: 300 },
  )
  await writeOrigin({ sender, receiver, pairing }, origin)
  await writeEndpoint({ sender, receiver, pairing }, URL_OF_NOBODY)
  return { sender, receiver, pairing }
}

export const writeOrigin = ({ receiver, pairing }: Pair, change: JsonObject = {}): Promise<void> => {
  const grant = {
    label: 'Alice',
    enabled: true,
    max_ttl_s: 300,
    spawn_worker: true,
    allowed_personas: ['analyst'],
    allowed_purposes: null,
  }
  const file = { ...originFileOf(pairing, grant), ...change }
  return writePairingFile(receiver.paths.origins, 'peer-a', file, true)
}

export const writeEndpoint = (
  { sender, pairing }: Pair,
  url: string,
  change: JsonObject = {},
): Promise<void> => {
  const file = endpointFileOf({ ...pairing, url }, sender.card, {
    endpoint_id: 'bob',
    label: 'Bob',
    enabled: true,
  })
  return writePairingFile(sender.paths.endpoints, 'bob', { ...file, ...change }, true)
}

/** A worker in this process. */
export const worker = (run: Worker['run'], change: Partial<Worker> = {}): Worker => ({
  engine_id: 'command',
  most: 'INTERNAL',
  run,
  ...change,
})

export const VERDICT = '{"verdict":"yes"}'
export const sayYes = worker(() => Promise.resolve(VERDICT))

export type Serving = {
  readonly clock?: ReceiverClock
  readonly worker?: Worker | null
  readonly ports?: (own: IngressPorts) => IngressPorts
  readonly evidence?: (own: EvidencePort) => EvidencePort
  readonly approvalSeconds?: number
  readonly runsPerMinute?: number
}

/** Runs the receiver of a pair while the test goes on. */
export const serving = <T>(
  { receiver: { home, identity } }: Pair,
  { clock = stillClock(), worker: engine = sayYes, ...rest }: Serving,
  use: (running: RunningReceiver) => Promise<T>,
): Promise<T> =>
  withReceiver(
    {
      home,
      identity,
      worker: engine,
      clock,
      address: { host: '127.0.0.1', port: 0 },
      ...rest,
    },
    use,
  )

export const SCHEMA = { type: 'object', properties: { verdict: { type: 'string' } } }

/** A task of the pair's sender, as it would be sent. */
export const taskOf = (
  { sender, pairing }: Pair,
  change: Partial<UnsignedTask> = {},
  keys: Partial<TaskKeys> = {},
): TaskEnvelope =>
  signTask(
    {
      task_id: 'task_0001',
      origin_id: 'peer-a',
      sender_instance_id: sender.card.instance_id,
      instruction: 'Compare the two figures.',
      attachments: [],
      result_schema: SCHEMA,
      nonce: randomUUID(),
      issued_at: Math.floor(testClock().nowMs() / 1000),
      ttl_s: 60,
      ...change,
    },
    { lane: 'software', hmac: macKeyOfHex(pairing.hmac_key), sender: sender.identity.key, ...keys },
  )

export const bodyOf = (task: JsonObject): Uint8Array => canonicalBytes(task)

/** Posts octets over a socket of its own, and gives back every octet that comes. */
export const postRaw = async (url: string, body: Uint8Array, line = 'POST /v1/a2a/task'): Promise<string> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const head = `${line} HTTP/1.1\r\nhost: receiver\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const parts: Uint8Array[] = []
  socket.on('data', (part: Uint8Array) => parts.push(part))
  socket.write(head)
  socket.write(body)
  await once(socket, 'close')
  return Buffer.concat(parts).toString('latin1')
}

/** What an answer's body holds. */
export const answerOf = (raw: string): JsonObject =>
  parseJson(raw.slice(raw.indexOf('\r\n\r\n') + 4)) as JsonObject

/** The octets of an answer without what differs from request to request by design: digest and signatures. */
export const shapeOf = (raw: string): string =>
  raw
    .replace(/"(request_digest|signature)":"[0-9a-f]{64}"/g, `"$1":"${'0'.repeat(64)}"`)
    .replace(/"receiver_signature":"[A-Za-z0-9_-]{86}"/, `"receiver_signature":"${'A'.repeat(86)}"`)

export type LogLine = { readonly event: string; readonly fields: JsonObject }

/** The events of a log, oldest first; none where there is no log. */
export const eventsOf = async (path: string): Promise<readonly LogLine[]> => {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine)
}

export const eventNames = async (path: string): Promise<readonly string[]> =>
  (await eventsOf(path)).map(({ event }) => event)

export const put = async (folder: string, name: string, content: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
