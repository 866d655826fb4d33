import { appraiseRelay } from '../appraise-relay.js'
import { inspectRead } from '../inspect-evidence.js'
import { inspectionText } from '../inspection-text.js'
import { parseInstant } from '../parse-instant.js'
import { asciiJson } from '../printable.js'
import type { Verdict } from '../verdict.js'
import { verdictText } from '../verdict-text.js'
import { type BundleToVerify, verifyBundle } from '../verify-bundle.js'
import { readEvidence } from './read-evidence.js'
import { readBounded } from './read-file.js'
import { readPolicyWithDigest } from './read-policy.js'
import { readRootFile, readTpmRootFiles } from './read-root.js'
import type { Io } from './run.js'
import { prepareResults, type ResultOptions } from './write-results.js'

const MAX_BYTES = 4 << 20

type Output = { readonly json?: true }
/** The options of `inspect`, as commander hands them over. */
export type InspectOptions = Output & {
  readonly certs?: string
  readonly root?: string
  readonly now?: string
}
/** The options of `evidence` and `bundle`. */
export type PolicyOptions = Output &
  ResultOptions & {
    readonly policy: string
    readonly root?: string
    readonly googleRoot?: string
    readonly tpmRoot?: string
    readonly now?: string
  }

/** `parley-verify inspect`. */
export const runInspect = async (path: string, options: InspectOptions, io: Io): Promise<number> => {
  const terms = { roots: await readRootFile(options.root), now: instant(options, io) }
  const { inspection, exitCode, simulated } = await inspectRead(
    () => readEvidence(path, options.certs),
    terms,
  )
  io.out(options.json === true ? asciiJson(inspection) : inspectionText(inspection, simulated))
  return exitCode
}

/** `parley-verify evidence`. */
export const runEvidence = (path: string, options: PolicyOptions, io: Io): Promise<number> =>
  runJudged(path, options, io, async ({ bytes: evidence, ...terms }) => {
    const { verdict } = await appraiseRelay({ evidence, nonce: null, ...terms })
    return verdict
  })

/** `parley-verify bundle`. */
export const runBundle = (path: string, options: PolicyOptions, io: Io): Promise<number> =>
  runJudged(path, options, io, verifyBundle)

type Judge = (terms: BundleToVerify) => Promise<Verdict>

const runJudged = async (path: string, options: PolicyOptions, io: Io, judge: Judge): Promise<number> => {
  const write = await prepareResults(options)
  const { policy, policyDigest } = await readPolicyWithDigest(options.policy)
  const bytes = await readBounded(path, MAX_BYTES)
  const tpmRoots = await readTpmRootFiles(options)
  const terms = { roots: await readRootFile(options.root), tpmRoots, now: instant(options, io) }
  const verdict = await judge({ bytes, policy, ...terms })
  await write({ bytes, verdict, policyDigest, ...terms }, io)
  return show(verdict, options, io)
}

const instant = ({ now }: { readonly now?: string }, io: Io): number =>
  now === undefined ? io.now : parseInstant(now)

const show = (verdict: Verdict, { json }: Output, io: Io): number => {
  io.out(json === true ? asciiJson(verdict) : verdictText(verdict))
  return verdict.exit_code
}
