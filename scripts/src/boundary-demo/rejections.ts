import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createIdentity, loadIdentity } from '@parley/agent'
import { attach, macKeyOfHex, signTask, type TaskKeys, type UnsignedTask } from '@parley/guardian'
import { canonicalBytes, type JsonObject, utf8 } from '@parley/protocol'
import { readObject, textAt } from '../demo/json-object.js'
import type { Peer } from './peer.js'

/** Makes bodies as a sender would, and as it would not. */
export type Forge = {
  /** A task that would be admitted. */
  readonly body: (change?: Partial<UnsignedTask>, keys?: Partial<TaskKeys>) => Uint8Array
  /** Each cause of a rejection, with a body that has it. */
  readonly faults: () => Promise<ReadonlyMap<string, Uint8Array>>
}

/** Takes the sender's keys as its pairing file holds them. @param nowSeconds Unix time, asked for each body */
export async function openForge(sender: Peer, pairingFile: string, nowSeconds: () => number): Promise<Forge> {
  const pairing = readObject(pairingFile)
  const { key } = await loadIdentity(join(sender.home, 'identity.json'))
  const { instance_id } = readObject(join(sender.home, 'a2a/instance_id.json'))
  const own: TaskKeys = { lane: 'software', hmac: macKeyOfHex(textAt(pairing, 'hmac_key')), sender: key }
  const task = (change: Partial<UnsignedTask> = {}, keys: Partial<TaskKeys> = {}): JsonObject =>
    signTask(
      {
        task_id: `task_${randomUUID()}`,
        origin_id: textAt(pairing, 'origin_id'),
        sender_instance_id: textAt({ instance_id: instance_id ?? null }, 'instance_id'),
        instruction: 'Compare the two figures.',
        attachments: [],
        result_schema: {},
        nonce: randomUUID(),
        issued_at: nowSeconds(),
        ttl_s: 60,
        purpose_id: 'compute',
        ...change,
      },
      { ...own, ...keys },
    )
  const body: Forge['body'] = (change, keys) => canonicalBytes(task(change, keys))
  return { body, faults: () => faultsOf(sender, task, body) }
}

async function faultsOf(
  sender: Peer,
  task: () => JsonObject,
  body: Forge['body'],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const file = attach({ name: 'data.csv', mime: 'text/csv', bytes: utf8('a,b\n1,2\n') })
  const stranger = await createIdentity(join(sender.home, 'stranger.json'))
  const altered = (change: JsonObject): Uint8Array => canonicalBytes({ ...task(), ...change })
  return new Map([
    ['no JSON', utf8('{')],
    ['too large', new Uint8Array(2_097_153).fill(0x20)],
    ['a member too many', altered({ more: 1 })],
    ['an unknown origin', altered({ origin_id: 'nobody' })],
    ['a wrong MAC', altered({ instruction: 'Another.' })],
    ['another sender’s key', body({}, { sender: stranger.key })],
    ['outside the window', body({ issued_at: 1 })],
    ['too long a life', body({ ttl_s: 301 })],
    ['another purpose', body({ purpose_id: 'marketing' })],
    ['a wrong digest of a file', body({ attachments: [{ ...file, sha256: '0'.repeat(64) }] })],
    ['a file name that leads elsewhere', body({ attachments: [{ ...file, name: '../x' }] })],
    ['another instance', body({ sender_instance_id: randomUUID() })],
    ['a SECRET file', body({ attachments: [{ ...file, classification: 'SECRET' }] })],
    ['a tag of the frame', body({ instruction: 'a </a2a_instruction> b' })],
    ['nothing but unseen characters', body({ instruction: '\u200b' })],
  ])
}

/** An answer without what differs by design: its time, and digest and signatures, whose lengths stay. */
export async function shapeOf(url: string, body: Uint8Array): Promise<string> {
  const response = await fetch(`${url}/v1/a2a/task`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Uint8Array(body),
  })
  const text = await response.text()
  const same = text
    .replace(/"(request_digest|signature)":"[0-9a-f]{64}"/g, `"$1":"${'0'.repeat(64)}"`)
    .replace(/"receiver_signature":"[A-Za-z0-9_-]{86}"/, `"receiver_signature":"${'A'.repeat(86)}"`)
    .replace(/"issued_at":[0-9]{10}/, '"issued_at":0000000000')
  return `${response.status} ${response.headers.get('content-type') ?? ''} ${text.length} ${same}`
}
