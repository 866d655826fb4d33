import { canonicalBytes, JSON_TYPE, OUTER_PATHS, toBase64url } from '@parley/protocol'
import type { Send } from '../transport/exchange.js'
import { AttestedProvider, type ProviderFault, type ProviderToAppraise } from './attested-provider.js'

const NONCE_BYTES = 32

/** A provider to be asked for evidence. */
export type ProviderToAttest = Pick<ProviderToAppraise, 'expected' | 'roots' | 'nowSeconds'> & {
  /** The way to it. It need not be protected: evidence proves itself. */
  readonly send: Send
  readonly random: (size: number) => Uint8Array
  readonly signal: AbortSignal
}

/** What asking for evidence came to. */
export type Attested =
  | { readonly ok: true; readonly provider: AttestedProvider }
  | { readonly ok: false; readonly fault: ProviderFault | 'evidence_unreachable' }

/**
 * Asks a provider for evidence over a nonce that is drawn here, and appraises it. Before this, nothing of a session is
 * sent to it.
 * @throws AttestationError `reference_value_missing`, `argument_invalid`
 * @see protocol SPEC §19
 */
export const attestProvider = async ({
  send,
  random,
  signal,
  ...terms
}: ProviderToAttest): Promise<Attested> => {
  const nonce = toBase64url(random(NONCE_BYTES))
  const asked = {
    path: OUTER_PATHS.evidence,
    headers: { 'content-type': JSON_TYPE },
    body: canonicalBytes({ nonce }),
  }
  const answer = await send(asked, signal)
  if (answer.kind === 'broken' || answer.status !== 200) return { ok: false, fault: 'evidence_unreachable' }
  return AttestedProvider.appraise({ ...terms, nonce, evidence: answer.body })
}
