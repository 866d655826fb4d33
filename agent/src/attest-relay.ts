import { randomBytes } from 'node:crypto'
import { toBase64url } from '@parley/protocol'
import { appraiseRelay, type AttestedKeyset, parseVerifierPolicy, type Verdict } from '@parley/verifier'
import { AgentError } from './agent-error.js'
import type { Clock } from './clock.js'
import { fetchEvidence } from './fetch-evidence.js'
import { rootTerms, type Trust } from './trust.js'

/** A relay whose evidence was appraised as trusted, for a nonce that was drawn here. Only then is anything sealed. */
export type AttestedRelay = {
  /** Address of its proxy. */
  readonly url: string
  readonly keyset: AttestedKeyset
  readonly verdict: Verdict
}

/** What a relay's evidence came to. `relay` is null where nothing may be sealed to it. */
export type RelayCheck = { readonly verdict: Verdict; readonly relay: AttestedRelay | null }

/** Which relay, and what its evidence is judged by. */
export type RelayToCheck = {
  readonly url: string
  /** The replica that holds this key; any where absent. */
  readonly keyId?: number
  readonly trust: Trust
  readonly clock: Clock
}

/**
 * Asks a relay for evidence over a nonce of 32 fresh octets and appraises what comes. Bad evidence gives a verdict.
 * @throws AgentError `relay_unreachable`, `gateway_refused`, `gateway_key_unknown`
 * @throws AttestationError `policy_malformed`, `reference_value_missing`, `argument_invalid`
 * @see SPEC §8
 */
export const checkRelay = async ({ url, keyId, trust, clock }: RelayToCheck): Promise<RelayCheck> => {
  const policy = parseVerifierPolicy(trust.policy)
  const nonce = toBase64url(randomBytes(32))
  const evidence = await fetchEvidence(url, keyId, nonce)
  const { verdict, keyset } = await appraiseRelay({
    evidence,
    nonce,
    policy,
    ...rootTerms(trust),
    now: clock.nowMs(),
  })
  return { verdict, relay: keyset === null ? null : { url, keyset, verdict } }
}

/**
 * The same, for whoever means to seal.
 * @throws AgentError `relay_not_trusted` beside all of {@link checkRelay}.
 */
export const attestRelay = async (asked: RelayToCheck): Promise<AttestedRelay> => {
  const { relay, verdict } = await checkRelay(asked)
  if (relay !== null) return relay
  const failed = verdict.checks.filter(({ result }) => result === 'failed').map(({ name }) => name)
  throw new AgentError(
    'relay_not_trusted',
    `the relay's evidence is not trusted: ${failed.join(', ') || 'waived'}`,
  )
}
