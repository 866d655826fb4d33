import { type Erased, parseErased, ProtocolError } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { nowSeconds } from '../clock.js'
import { exchange } from '../exchange.js'
import type { Asker } from '../inbox/ask-as-key.js'
import { sealRequest } from '../seal-request.js'

/**
 * Asks a relay to erase what it holds of the asker's own key: the records of sessions that are over, their entries in its
 * log, the key's inbox. What the asker holds itself, bundles and proofs, stays valid.
 * @returns what was erased, and how many sessions stay as yet
 * @throws AgentError `answer_malformed`
 * @throws RelayRefusal
 * @see SPEC §13
 */
export const askErasure = async ({ identity, relay, clock }: Asker): Promise<Erased> => {
  const none = { role: 'initiator', sessionId: null, offerDigest: null, seq: 0 } as const
  const author = { identity, ...none, nowSeconds: nowSeconds(clock) }
  const asked = { method: 'POST', path: '/v1/erasure', body: {} } as const
  const said = await exchange(relay, sealRequest(relay.keyset, asked, author))
  try {
    return parseErased(said)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AgentError('answer_malformed', "the relay's answer can't be used: it is not one to an erasure")
  }
}
