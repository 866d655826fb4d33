import {
  type JsonObject,
  MOST_PROVISION_BYTES,
  parseProvisioned,
  type ProviderKeys,
  type Provisioned,
  ProtocolError,
} from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { nowSeconds } from '../clock.js'
import { entrySeq } from '../entry-seq.js'
import { exchange } from '../exchange.js'
import type { Asker } from '../inbox/ask-as-key.js'
import { sealRequest } from '../seal-request.js'

const PATH = '/v1/provisioning'

/**
 * Gives a relay all of its secrets, in place of those that it has: sealed to the keyset that was just appraised, and
 * signed by an authority of the relay's policy bundle.
 * @returns whose keys the relay holds now, and whose it lacks
 * @throws AgentError `relay_not_trusted` on a relay of the software lane, which would show them to its operator;
 * `answer_malformed` where it does not hold what it was given
 * @throws RelayRefusal
 * @see SPEC §29
 */
export const provisionRelay = async (
  { identity, relay, clock }: Asker,
  providerKeys: ProviderKeys,
): Promise<Provisioned> => {
  const { keyset, keysetDigest } = relay.keyset
  if (keyset.lane !== 'confidential')
    throw new AgentError('relay_not_trusted', 'secrets are given to relays of the confidential lane only')
  const body: JsonObject = { keyset_digest: keysetDigest, provider_keys: providerKeys }
  const author = {
    ...({ identity, role: 'initiator', sessionId: null, offerDigest: null } as const),
    // By the clock, so that what is sent later counts as later, whichever authority sends it.
    seq: entrySeq(clock),
    nowSeconds: nowSeconds(clock),
  }
  const asked = { method: 'POST', path: PATH, body, mostBytes: MOST_PROVISION_BYTES } as const
  const said = read(await exchange(relay, sealRequest(relay.keyset, asked, author)))
  const given = Object.keys(providerKeys)
  if (said.held.length !== given.length || !given.every((name) => said.held.includes(name)))
    throw new AgentError('answer_malformed', 'the relay does not hold the keys that it was given')
  return said
}

const read = (value: Parameters<typeof parseProvisioned>[0]): Provisioned => {
  try {
    return parseProvisioned(value)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AgentError('answer_malformed', 'the answer is not one to a provisioning')
  }
}
