import type { ExtraRoot } from '@parley/attestation'
import { canonicalBytes, hash, type JsonObject, type JsonValue, signingKeyFromSeed } from '@parley/protocol'
import { appraiseRelay, parseVerifierPolicy, type Verdict, verifyBundle } from '../../src/index.js'
import { ed25519Signer, type Judged, readJudged } from '../../src/results/index.js'
import { keysetOf, mintBundle, mintEvidence, NOW, policyFor, toBytes } from '../minted-bundle.js'
import type { SimulatedRelay } from '../simulated-relay.js'
import { without } from '../without.js'

/** The key of every vector: its seed is known to everybody. */
const SEED = Uint8Array.from({ length: 32 }, (_, at) => at)
export const KEY = signingKeyFromSeed(SEED)
export const SIGNER = ed25519Signer(KEY)

/** A file to judge, and the terms. */
export type ResultCase = {
  readonly procedure: 'evidence' | 'bundle'
  readonly bytes: Uint8Array
  readonly policy: JsonValue
  readonly roots: readonly ExtraRoot[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Judges a case. */
export const verdictOf = async (given: ResultCase): Promise<Verdict> => {
  const { procedure, bytes, roots, now } = given
  const policy = parseVerifierPolicy(given.policy)
  if (procedure === 'bundle') return verifyBundle({ bytes, policy, roots, now })
  return (await appraiseRelay({ evidence: bytes, nonce: null, policy, roots, now })).verdict
}

/** Judges a case and reads it for its results. */
export const judgedOf = async (given: ResultCase): Promise<Judged> =>
  readJudged({ ...given, verdict: await verdictOf(given), policyDigest: hash(given.policy) })

/** The appraisal policy inside a verifier policy, with other members. */
const withHardware = (policy: JsonObject, changes: JsonObject): JsonObject => ({
  ...policy,
  hardware: { ...(policy['hardware'] as JsonObject), ...changes },
})

/** Everything that a result can have to tell, by a simulated relay that is honest. */
export const resultCases = async (relay: SimulatedRelay): Promise<Readonly<Record<string, ResultCase>>> => {
  const { policy, roots } = relay
  const bundle = await relay.mint()
  const terms = { procedure: 'bundle', policy, roots, now: NOW } as const
  const honest = { ...terms, bytes: toBytes(bundle) }
  const evidence = canonicalBytes(await mintEvidence(keysetOf('confidential'), null, relay.reporter))
  const software = canonicalBytes(await mintEvidence(keysetOf('software'), null, null))
  return {
    'bundle-trusted': honest,
    'bundle-no-output': {
      ...honest,
      bytes: toBytes({ ...bundle, openings: { ...bundle.openings, output: null } }),
    },
    'bundle-consents-swapped': {
      ...honest,
      bytes: toBytes({ ...bundle, consents: [...bundle.consents].reverse() }),
    },
    'bundle-software': {
      ...terms,
      policy: policyFor('software'),
      roots: [],
      bytes: toBytes(await mintBundle('software', null)),
    },
    'bundle-malformed': { ...honest, bytes: new TextEncoder().encode('{}') },
    'evidence-trusted': { ...honest, procedure: 'evidence', bytes: evidence },
    'evidence-software-unwanted': { ...honest, procedure: 'evidence', bytes: software },
    'evidence-root-unknown': { ...honest, procedure: 'evidence', bytes: evidence, roots: [] },
    'evidence-simulated-without-leave': {
      ...honest,
      procedure: 'evidence',
      bytes: evidence,
      policy: { ...policy, accept_simulated: false },
    },
    'evidence-report-of-another': {
      ...honest,
      procedure: 'evidence',
      bytes: canonicalBytes(
        await mintEvidence(keysetOf('confidential'), null, () => relay.reporter(new Uint8Array(64))),
      ),
    },
    'evidence-tcb-too-old': {
      ...honest,
      procedure: 'evidence',
      bytes: evidence,
      policy: withHardware(policy, {
        products: ['Milan'],
        tcb_minimum: { Milan: { bootloader: 255, tee: 0, snp: 0, microcode: 0 } },
      }),
    },
    'evidence-code-unknown': {
      ...honest,
      procedure: 'evidence',
      bytes: evidence,
      policy: withHardware(policy, { measurement: { equals: 'ff'.repeat(48) } }),
    },
    'evidence-firmware-only': {
      ...honest,
      procedure: 'evidence',
      bytes: evidence,
      policy: { ...withHardware(policy, { launch_covers: 'firmware' }), minimum_assurance: 'SELF_ASSERTED' },
    },
    'evidence-measurement-waived': {
      ...honest,
      procedure: 'evidence',
      bytes: evidence,
      policy: withHardware(policy, {
        waive: [{ check: 'measurement', reason: 'not built yet' }],
      }),
    },
    'evidence-hardware-unasked': {
      ...honest,
      procedure: 'evidence',
      bytes: evidence,
      policy: { ...without(policy, 'hardware'), hardware: null, minimum_assurance: 'SELF_ASSERTED' },
    },
    'evidence-release-unexpected': {
      ...honest,
      procedure: 'evidence',
      bytes: evidence,
      policy: { ...policy, relay: { ...(policy['relay'] as JsonObject), version: { equals: '9.9.9' } } },
    },
    'evidence-expired': { ...honest, procedure: 'evidence', bytes: evidence, now: NOW + 30 * 86_400_000 },
  }
}
