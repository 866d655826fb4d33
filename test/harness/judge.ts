import type { Trust } from '@parley/agent'
import { type Bundle, canonicalBytes } from '@parley/protocol'
import { parseVerifierPolicy, type Verdict, verifyBundle } from '@parley/verifier'
import { extraRoots } from './trust.js'

/** The real verifier's verdict on the bytes of a bundle, now. */
export const judgeBytes = (bytes: Uint8Array, trust: Trust): Promise<Verdict> =>
  verifyBundle({
    bytes,
    policy: parseVerifierPolicy(trust.policy),
    roots: extraRoots(trust),
    now: Date.now(),
  })

export const judge = (bundle: Bundle, trust: Trust): Promise<Verdict> =>
  judgeBytes(canonicalBytes(bundle), trust)

/** The names of the checks that failed. */
export const failedChecks = ({ checks }: Verdict): string[] =>
  checks.filter(({ result }) => result === 'failed').map(({ name }) => name)
