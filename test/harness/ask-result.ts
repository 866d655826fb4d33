import { type AttestedRelay, exchange, type Identity, sealRequest } from '@parley/agent'
import { type Bundle, parseBundle, parseResult, type Result, type Role } from '@parley/protocol'

// Above the numbers of the SDK, which begin with the clock's milliseconds.
let asked = 2 ** 50

/** Asks for a result once, without anything that the SDK knows of the session but its id. */
export const askResult = async (
  relay: AttestedRelay,
  identity: Identity,
  role: Role,
  sessionId: string,
): Promise<{ readonly state: Result['state']; readonly bundle: Bundle | null }> => {
  const author = {
    identity,
    role,
    sessionId,
    offerDigest: null,
    seq: ++asked,
    nowSeconds: Math.floor(Date.now() / 1000),
  }
  const request = { method: 'GET', path: `/v1/sessions/${sessionId}/result`, waitSeconds: 0 } as const
  const { state, bundle } = parseResult(await exchange(relay, sealRequest(relay.keyset, request, author)))
  return { state, bundle: bundle === null ? null : parseBundle(bundle) }
}
