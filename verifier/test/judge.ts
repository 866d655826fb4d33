import type { JsonObject } from '@parley/protocol'
import { parseVerifierPolicy, type Verdict, verifyBundle } from '../src/index.js'
import { type Lies, mintBundle, NOW, policyFor, toBytes } from './minted-bundle.js'

/** The verdict on a bundle of the software lane whose relay lied where it was told to. */
export const judge = async (lies: Lies = {}, policy: JsonObject = policyFor('software')): Promise<Verdict> =>
  judgeBytes(toBytes(await mintBundle('software', null, lies)), policy)

/** The verdict on the bytes of a bundle of the software lane. */
export const judgeBytes = (bytes: Uint8Array, policy: JsonObject = policyFor('software')): Promise<Verdict> =>
  verifyBundle({ bytes, policy: parseVerifierPolicy(policy), roots: [], now: NOW })

/** The failed checks of a verdict with their codes. */
export const failures = ({ checks }: Verdict): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(checks.filter(({ result }) => result === 'failed').map(({ name, code }) => [name, code]))

/** What is said of a provider where the receipt names no evidence of one. */
export const NO_PROVIDER = {
  provider_named: 'provider_not_attested',
  provider_evidence: 'provider_not_attested',
  provider_expected: 'provider_not_attested',
} as const

/** The checks of a verdict that were not run, with their codes. */
export const notRun = ({ checks }: Verdict): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    checks.filter(({ result }) => result === 'not_run').map(({ name, code }) => [name, code]),
  )
