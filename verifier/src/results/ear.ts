import { type JsonObject, keysetDigest, toBase64url } from '@parley/protocol'
import { receiptKeySpki } from '../receipt-key.js'
import { cpuSubmod } from './cpu-submod.js'
import type { Judged } from './judged.js'
import { signJws } from './jws.js'
import { EAR_PROFILE, policyId, VERIFIER } from './profiles.js'
import { relaySubmod } from './relay-submod.js'
import type { Signer } from './signer.js'
import type { Submod } from './submod.js'

/**
 * A verdict as an EAT attestation result: the appraisal of the secure processor (`cpu0`) and of the program on it
 * (`relay`), each with a status and an AR4SI vector. A chain that ended in an extra root is never affirming without
 * the policy's leave, and named in the policy's id and in the claims where it has it. The checks behind it stand in the
 * claims that Veraison's and Trustee's readers know.
 * @see draft-fv-rats-ear §3; draft-ietf-rats-ar4si §2.3
 */
export const earClaims = (judged: Judged): JsonObject => {
  const { verdict, policyDigest, at } = judged
  const id = policyId(policyDigest, verdict.simulated)
  const cpu = cpuSubmod(verdict)
  return {
    eat_profile: EAR_PROFILE,
    iat: at,
    'ear.verifier-id': VERIFIER,
    ...echoedNonce(judged),
    submods: {
      cpu0: { ...asSubmod(cpu, id), ...annotated(judged) },
      relay: withKey(relaySubmod(verdict, digests(judged), cpu.status), id, judged),
    },
  }
}

/** {@link earClaims} as a signed JWT. */
export const signEar = (judged: Judged, signer: Signer): Promise<string> =>
  signJws('eat+jwt', earClaims(judged), signer)

// A nonce of the caller's own that was checked: the result is as fresh as the evidence.
const echoedNonce = ({ verdict, nonces: [nonce] }: Judged): JsonObject =>
  nonce !== undefined &&
  verdict.checks.some(({ name, result }) => name === 'evidence_nonce' && result === 'passed')
    ? { eat_nonce: nonce }
    : {}

const asSubmod = ({ status, vector, claims }: Submod, id: string): JsonObject => ({
  'ear.status': status,
  'ear.trustworthiness-vector': vector,
  'ear.appraisal-policy-id': id,
  'ear.veraison.policy-claims': claims,
})

const annotated = ({ hardware }: Judged): JsonObject =>
  hardware === null
    ? {}
    : { 'ear.veraison.annotated-evidence': { snp: hardware.view, product: hardware.product } }

const digests = ({ verdict, fileDigest, evidence }: Judged): Readonly<Record<string, string>> => ({
  [`${verdict.procedure}_sha256`]: fileDigest,
  ...(evidence === null ? {} : { keyset_digest: keysetDigest(evidence.keyset) }),
})

// The key is handed on only where everything that names it holds.
const withKey = (submod: Submod, id: string, { evidence }: Judged): JsonObject => ({
  ...asSubmod(submod, id),
  ...(evidence === null || submod.status !== 'affirming'
    ? {}
    : {
        'ear.veraison.key-attestation': { akpub: toBase64url(receiptKeySpki(evidence.keyset.receipt_key)) },
      }),
})
