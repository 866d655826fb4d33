import type { ExtraRoot } from '@parley/attestation'
import { canonicalBytes } from '@parley/protocol'
import type { ExpectedProvider } from '../policy/providers.js'
import { failed } from './api/reply.js'
import { openProvider, type ProviderParts } from './ask-provider.js'
import { attestProvider } from './attested/attest-provider.js'
import { sendSealed } from './attested/send-sealed.js'
import type { ModelService } from './model-service.js'
import { apiOf, type ProviderToOpen, sendTo } from './open-model-provider.js'

/** The longest evidence of a provider that a bundle carries, in octets of JCS. */
export const MOST_EVIDENCE_BYTES = 65_536

/** What a provider's evidence must show, and under which roots beside AMD's: a relay in earnest has none. */
export type ProviderAnchor = { readonly expected: ExpectedProvider; readonly roots: readonly ExtraRoot[] }

/**
 * Opens a provider that attests: it is asked only after its evidence was appraised, anew for each call. What its
 * evidence must show comes from the policy bundle.
 * @throws RelayError `config_malformed` as {@link openModelProvider}
 * @see protocol SPEC §19
 */
export const openAttestedProvider = (parts: ProviderToOpen, anchor: ProviderAnchor): ModelService['ask'] => {
  const { provider, clock, random } = parts
  return askAttested({ name: provider.kind, api: apiOf(parts), send: sendTo(parts), clock, random }, anchor)
}

/** The same over any way to the provider. */
export const askAttested =
  (parts: ProviderParts, { expected, roots }: ProviderAnchor): ModelService['ask'] =>
  async (request, signal) => {
    const { send, clock, random } = parts
    const nowSeconds = (): number => clock.nowSeconds()
    const asked = { expected, roots, nowSeconds: nowSeconds(), send, random, signal }
    const attested = await attestProvider(asked)
    if (!attested.ok) return { reply: failed('unreachable'), evidence: null }
    const { provider } = attested
    const { evidence } = provider
    if (canonicalBytes(evidence).length > MOST_EVIDENCE_BYTES)
      return { reply: failed('malformed'), evidence: null }
    const sealed = openProvider({ ...parts, send: sendSealed({ provider, send, nowSeconds }) })
    return { reply: await sealed.complete(request, signal), evidence }
  }
