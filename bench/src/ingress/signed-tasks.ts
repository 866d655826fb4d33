import {
  canonicalBytes,
  formatDid,
  generateSigningKey,
  type JsonObject,
  type SigningKey,
  toHex,
} from '@parley/protocol'
import { macKey, type Origin, parseOrigin, signTask } from '@parley/guardian'

export const NOW = 1_750_000_000
const HMAC = new Uint8Array(32).fill(1)
const INSTANCE = '11111111-2222-4333-8444-555555555555'

/** A pairing, and many tasks under it that differ by their nonces alone. */
export type SignedTasks = {
  readonly bodies: readonly Uint8Array[]
  readonly origin: Origin
  readonly hmac: Uint8Array
  readonly sender: SigningKey
}

/** So many tasks with an instruction of so many letters. */
export const signedTasks = (count: number, letters: number): SignedTasks => {
  const sender = generateSigningKey()
  const hmac = macKey(HMAC)
  const bodies = Array.from({ length: count }, (_, at) =>
    canonicalBytes(
      signTask(
        {
          task_id: 'task-1',
          origin_id: 'peer-a',
          sender_instance_id: INSTANCE,
          purpose_id: 'compute',
          instruction: 'a '.repeat(letters / 2),
          attachments: [],
          result_schema: { type: 'object', properties: { verdict: { type: 'string' } } },
          nonce: `nonce-of-the-bench-${at}`,
          issued_at: NOW,
          ttl_s: 60,
        },
        { lane: 'software', hmac, sender },
      ),
    ),
  )
  return { bodies, origin: originOf(sender), hmac: HMAC, sender }
}

const originOf = (sender: SigningKey): Origin => {
  const file: JsonObject = {
    origin_id: 'peer-a',
    hmac_key: toHex(HMAC),
    recv_key: '02'.repeat(32),
    enabled: true,
    sender_did: formatDid({ namespace: 'bench', kind: 'agent', publicKey: sender.publicKey }),
    sender_instance_id_pin: INSTANCE,
    rate_limit_rpm: 60_000,
    allowed_purposes: ['compute'],
    spawn_worker: true,
    allowed_personas: ['analyst'],
  }
  const read = parseOrigin(file)
  if (!read.ok) throw new Error(`the origin is refused: ${read.reason}`)
  return read.value
}
