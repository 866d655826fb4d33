import { fromBase64url, isJsonObject, parseCanonicalJson, ProtocolError } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { EvidenceDesk } from '../evidence/evidence-desk.js'
import type { Limits } from '../policy-bundle.js'
import { RelayError } from '../relay-error.js'
import { BAD_REQUEST, jsonOuter, NOT_READY, type OuterResponse, TOO_MANY } from './outer-response.js'
import { createRateLimit } from './rate-limit.js'

const NONCE_BYTES = 32

/** Octets of `{"nonce":"…"}` with a nonce of 32 octets: every request has this size. */
export const EVIDENCE_REQUEST_BYTES = 55

/** Answers a request for fresh evidence. */
export type EvidenceAnswer = (body: Uint8Array) => Promise<OuterResponse>

/** Fresh evidence at a bounded rate: a report costs the secure processor's time, and nobody pays for asking. */
export function createEvidenceAnswer(
  desk: EvidenceDesk,
  limits: Pick<Limits, 'evidence_per_minute'>,
  clock: Pick<Clock, 'nowMs'>,
): EvidenceAnswer {
  const allowed = createRateLimit(limits.evidence_per_minute, clock)
  return async (body) => {
    const nonce = readNonce(body)
    if (nonce === undefined) return BAD_REQUEST
    if (!allowed()) return TOO_MANY
    try {
      return jsonOuter(200, await desk.evidenceFor(nonce))
    } catch (error) {
      if (error instanceof RelayError) return NOT_READY
      throw error
    }
  }
}

function readNonce(body: Uint8Array): string | undefined {
  if (body.length !== EVIDENCE_REQUEST_BYTES) return undefined
  try {
    const value = parseCanonicalJson(body)
    if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined
    const nonce = value['nonce']
    if (typeof nonce !== 'string') return undefined
    fromBase64url(nonce, NONCE_BYTES)
    return nonce
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}
