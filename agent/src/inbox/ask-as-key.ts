import type { JsonValue } from '@parley/protocol'
import type { AttestedRelay } from '../attest-relay.js'
import { type Clock, nowSeconds } from '../clock.js'
import { exchange } from '../exchange.js'
import type { Identity } from '../identity.js'
import { sealRequest } from '../seal-request.js'

/** Who asks a relay what there is for its key. */
export type Asker = { readonly identity: Identity; readonly relay: AttestedRelay; readonly clock: Clock }

/** Asks for what belongs to a key and to no session. @throws RelayRefusal @see SPEC §26 */
export const askAsKey = (
  { identity, relay, clock }: Asker,
  path: string,
  waitSeconds: number,
): Promise<JsonValue> => {
  const none = { role: 'initiator', sessionId: null, offerDigest: null, seq: 0 } as const
  const author = { identity, ...none, nowSeconds: nowSeconds(clock) }
  return exchange(relay, sealRequest(relay.keyset, { method: 'GET', path, waitSeconds }, author))
}
