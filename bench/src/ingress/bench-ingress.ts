import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import {
  canonicalBytes,
  isJsonObject,
  label,
  type JsonObject,
  parseJson,
  sha256,
  toBase64url,
  utf8,
} from '@parley/protocol'
import { type Contest, inProcess } from '../candidate.js'
import { openPipeline, type Pipeline } from './open-pipeline.js'
import { type SignedTasks, signedTasks } from './signed-tasks.js'

// More than this the replay table would not keep of one origin.
const TASKS = 2048

/** What nobody can do without, in bytes that were cut for it beforehand: no form, no canonical bytes, no step. */
const bareFloor = ({ bodies, hmac, sender }: SignedTasks): (() => void) => {
  const [body = new Uint8Array()] = bodies
  const { signature, ...maced } = objectIn(body)
  const { sender_signature, ...signed } = maced
  const [macMessage, message] = [canonicalBytes(maced), digestOf(signed)]
  const mac = Buffer.from(textOf(signature), 'hex')
  const own = Buffer.from(textOf(sender_signature), 'base64url')
  const key = keyOf(sender)
  const text = Buffer.from(body).toString()
  return () => {
    const isMac = timingSafeEqual(createHmac('sha256', hmac).update(macMessage).digest(), mac)
    if (!isMac || !verify(null, message, key, own)) throw new Error('the floor refuses a task')
    JSON.parse(text)
  }
}

const digestOf = (signed: JsonObject): Uint8Array =>
  sha256(Buffer.concat([utf8(label('software', 'a2a-task')), new Uint8Array(1), canonicalBytes(signed)]))

const keyOf = ({ publicKey }: SignedTasks['sender']): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(publicKey) }, format: 'jwk' })

const objectIn = (body: Uint8Array): JsonObject => {
  const value = parseJson(body)
  if (!isJsonObject(value)) throw new Error('no task')
  return value
}

const textOf = (value: JsonObject[string] | undefined): string => {
  if (typeof value !== 'string') throw new Error('no signature')
  return value
}

/** Each task in turn; when all have been, the nonces are forgotten and they come again. */
const admitting = ({ bodies }: SignedTasks, { admit, forget }: Pipeline): (() => Promise<void>) => {
  let at = 0
  return async () => {
    const body = bodies[at % TASKS] ?? new Uint8Array()
    if (at % TASKS === 0) forget()
    at += 1
    if (!(await admit(body)).ok) throw new Error('a task is refused')
  }
}

const assertVerdicts = async (
  { bodies: [body = new Uint8Array()] }: SignedTasks,
  pipeline: Pipeline,
): Promise<void> => {
  const flipped = Buffer.from(Buffer.from(body).toString().replace('"instruction":"a', '"instruction":"b'))
  const [forged, own, again] = [
    await pipeline.admit(flipped),
    await pipeline.admit(body),
    await pipeline.admit(body),
  ]
  if (forged.ok || forged.step !== 'mac') throw new Error('a changed task is not refused by its MAC')
  if (!own.ok || again.ok || again.step !== 'replay') throw new Error('a task is not accepted once')
}

/** What the whole ingress costs a task, against bare HMAC, Ed25519 and JSON.parse. */
export async function* benchIngress(): AsyncGenerator<Contest> {
  for (const letters of [64, 16_384]) {
    const tasks = signedTasks(TASKS, letters)
    const pipeline = openPipeline(tasks)
    await assertVerdicts(tasks, pipeline)
    yield {
      title: `ingress: a task of ${tasks.bodies[0]?.length ?? 0} bytes`,
      floor: inProcess('bare: HMAC-SHA256, Ed25519 verify, JSON.parse', bareFloor(tasks)),
      rivals: [inProcess('the pipeline, all sixteen steps', admitting(tasks, pipeline))],
    }
  }
}
