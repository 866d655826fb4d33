import type { IncomingMessage, ServerResponse } from 'node:http'
import { JSON_TYPE, OUTER_PATHS } from '@parley/protocol/routes'
import type { Replicas } from './replicas.js'
import { strictInteger, strictObject } from './strict-object.js'

const MAX_REGISTRATION_BYTES = 1024

/**
 * Handles the control listener: `POST /replicas {"key_id", "url"}` registers a replica or renews it (201), and is
 * refused where another live replica holds the key id (409), so that no two replicas share one. Nobody is authenticated
 * here: whoever reaches this listener can take a free key id and have its requests, still sealed, or hold it for
 * ever, so only relays may reach it.
 */
export const controlHandler =
  (replicas: Replicas) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    register(incoming, replicas)
      .catch(() => 400)
      .then((status) => {
        if (!incoming.complete) outgoing.setHeader('connection', 'close')
        outgoing.writeHead(status).end()
      })
      .catch(() => outgoing.destroy())
  }

const register = async (incoming: IncomingMessage, replicas: Replicas): Promise<number> => {
  const { method, url, headers } = incoming
  if (method !== 'POST' || url !== OUTER_PATHS.replicas || headers['content-type'] !== JSON_TYPE) return 400
  const { keyId, replica } = parseRegistration(await readText(incoming))
  return replicas.register(keyId, replica) ? 201 : 409
}

const parseRegistration = (text: string): { readonly keyId: number; readonly replica: URL } => {
  const { key_id, url } = strictObject(JSON.parse(text), 'registration', { required: ['key_id', 'url'] })
  if (typeof url !== 'string') throw new Error('url is not a text')
  // A member named twice is one that two parsers read differently: these two, once each, make the whole text.
  const spellings = [
    { key_id, url },
    { url, key_id },
  ].map((each) => JSON.stringify(each))
  if (!spellings.includes(text.replace(/\s/g, ''))) throw new Error('registration: a member is named twice')
  const replica = new URL(url)
  // An origin and nothing more: paths are the proxy's own.
  if (replica.protocol !== 'http:' || `${replica.origin}/` !== replica.href)
    throw new Error('url is not an http origin')
  return { keyId: strictInteger(key_id, 'key_id', 0, 255), replica }
}

const readText = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) throw new Error('body is not bytes')
    length += chunk.length
    if (length > MAX_REGISTRATION_BYTES) throw new Error('registration is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
