import { randomBytes } from 'node:crypto'
import {
  type Evidence,
  fromBase64url,
  type JsonObject,
  keysetDigest,
  keysetLeaf,
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseEvidence,
  toBase64url,
  verifyBinding,
} from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { fetchEvidence } from './fetch-evidence.js'

/**
 * Makes a policy that expects exactly the relay of the software lane that answers now: trust on first use, and no more
 * than that. It has shown that it holds the receipt key; who it is, nothing has shown.
 * @param url address of its proxy
 * @throws AgentError `relay_unreachable`, `gateway_refused`; `relay_not_trusted` for a relay of the confidential lane,
 * which is appraised and never pinned, and for one that does not answer the nonce.
 */
export const pinRelay = async (url: string): Promise<JsonObject> => {
  const nonce = toBase64url(randomBytes(32))
  const evidence = parseEvidence(parseCanonicalJson(await fetchEvidence(url, undefined, nonce)))
  requirePossession(evidence, nonce)
  const { release, receipt_key } = evidence.keyset
  return {
    version: 'parley-policy-v1',
    minimum_assurance: 'SELF_ASSERTED',
    accept_simulated: false,
    hardware: null,
    relay: {
      version: { equals: release.version },
      image_digest: { equals: release.image_digest },
      policy_bundle_hash: { equals: release.policy_bundle_hash },
      profile_hash: { equals: release.profile_hash },
      receipt_key: { equals: receipt_key },
    },
    waive: [],
  }
}

const requirePossession = ({ keyset, nonce, binding }: Evidence, asked: string): void => {
  if (keyset.lane !== 'software')
    throw new AgentError('relay_not_trusted', 'a relay of the confidential lane is appraised, not pinned')
  if (nonce !== asked) throw new AgentError('relay_not_trusted', 'the evidence does not answer the nonce')
  const receiptKey = parseEd25519PublicKey(fromBase64url(keyset.receipt_key, 32))
  verifyBinding(keyset.lane, binding, keysetLeaf(keyset, asked), {
    keysetDigest: keysetDigest(keyset),
    receiptKey,
  })
}
