import { canonicalBytes, type Evidence, parseCanonicalJson, parseEvidence } from '@parley/protocol'
import type { Answer, Meddling } from './hostile-proxy.js'

/** The evidence document in an answer. */
export const evidenceIn = ({ body }: Answer): Evidence =>
  parseEvidence(parseCanonicalJson(new Uint8Array(body)))

/** A host that changes the evidence on its way. */
export const changingEvidence =
  (change: (evidence: Evidence) => Evidence | Promise<Evidence>): Meddling =>
  async (request, pass) => {
    const answer = await pass(request)
    return { ...answer, body: Buffer.from(canonicalBytes(await change(evidenceIn(answer)))) }
  }
