import { hash, type JsonObject, type JsonValue } from '@parley/protocol'
import type { Judged } from './judged.js'
import { policyId, VERDICT_PREDICATE, VERIFIER } from './profiles.js'

/**
 * A verdict as an in-toto statement. Its subjects are the file that was judged and, of a trusted bundle whose output is
 * open, the output by its content address: SHA-256 of its canonical JSON. Whoever knows what outputs there can be finds
 * the one with that digest, so the statement tells as much as the bundle does; the output itself is not in it.
 * @see in-toto Statement v1
 */
export const verdictStatement = (judged: Judged): JsonObject => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: subjects(judged),
  predicateType: VERDICT_PREDICATE,
  predicate: predicate(judged),
})

const subjects = ({ verdict: { procedure, output }, fileDigest }: Judged): JsonValue => [
  { name: procedure, digest: { sha256: fileDigest } },
  ...(output === null ? [] : [{ name: 'output', digest: { sha256: hash(output) } }]),
]

const predicate = ({ verdict, policyDigest, at }: Judged): JsonObject => ({
  verifier: VERIFIER,
  time_verified: new Date(at * 1000).toISOString(),
  policy: { uri: policyId(policyDigest, verdict.simulated), digest: { sha256: policyDigest } },
  procedure: verdict.procedure,
  trusted: verdict.trusted,
  simulated: verdict.simulated,
  assurance_level: verdict.assurance_level,
  lane: verdict.lane,
  exit_code: verdict.exit_code,
  checks: verdict.checks.map((check) => ({ ...check })),
  hardware: verdict.hardware.map((check) => ({ ...check })),
  claims: verdict.claims,
  anys: verdict.anys.map((any) => ({ ...any })),
  waivers: verdict.waivers.map((waiver) => ({ ...waiver })),
  session_id: verdict.session_id,
  outcome: verdict.outcome,
})
