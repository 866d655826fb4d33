import { AttestationError, failureClass } from '@parley/attestation'
import { ProtocolError } from '@parley/protocol'
import { appraiseRelay } from '../appraise-relay.js'
import { type Inspected, inspectEvidence, nothingToInspect } from '../inspect-evidence.js'
import { inspectionText } from '../inspection-text.js'
import { asciiJson } from '../printable.js'
import { parseReceiptKey } from '../receipt-key.js'
import type { Verdict } from '../verdict.js'
import { verdictText } from '../verdict-text.js'
import { verifyBundle } from '../verify-bundle.js'
import { verifyReceiptFile } from '../verify-receipt.js'
import { parseInstant } from './parse-instant.js'
import { readEvidence } from './read-evidence.js'
import { readBounded } from './read-file.js'
import { readPolicyFile } from './read-policy.js'
import { readRootFile } from './read-root.js'
import type { Io } from './run.js'

const MAX_BYTES = 4 << 20

type Output = { readonly json?: true }
/** The options of `inspect`, as commander hands them over. */
export type InspectOptions = Output & { readonly certs?: string; readonly now?: string }
/** The options of `evidence` and `bundle`. */
export type PolicyOptions = Output & {
  readonly policy: string
  readonly root?: string
  readonly now?: string
}
/** The options of `receipt`. */
export type ReceiptOptions = Output & { readonly key: string }

/** `parley-verify inspect`. */
export const runInspect = async (path: string, options: InspectOptions, io: Io): Promise<number> => {
  const { inspection, exitCode } = await inspect(path, options.certs, instant(options, io))
  io.out(options.json === true ? asciiJson(inspection) : inspectionText(inspection))
  return exitCode
}

const inspect = async (path: string, certs: string | undefined, now: number): Promise<Inspected> => {
  try {
    const evidence = await readEvidence(path, certs)
    return evidence === null
      ? nothingToInspect('collateral_missing', 2)
      : await inspectEvidence({ ...evidence, now })
  } catch (error) {
    if (error instanceof ProtocolError) return nothingToInspect(error.code, 5)
    if (error instanceof AttestationError && failureClass(error.code) === 'malformed')
      return nothingToInspect(error.code, 5)
    throw error
  }
}

/** `parley-verify evidence`. */
export const runEvidence = async (path: string, options: PolicyOptions, io: Io): Promise<number> => {
  const { bytes: evidence, ...terms } = await readTerms(path, options, io)
  const { verdict } = await appraiseRelay({ evidence, nonce: null, ...terms })
  return show(verdict, options, io)
}

/** `parley-verify bundle`. */
export const runBundle = async (path: string, options: PolicyOptions, io: Io): Promise<number> =>
  show(await verifyBundle(await readTerms(path, options, io)), options, io)

/** `parley-verify receipt`. */
export const runReceipt = async (path: string, options: ReceiptOptions, io: Io): Promise<number> => {
  const key = parseReceiptKey(new TextDecoder().decode(await readBounded(options.key, MAX_BYTES)))
  return show(verifyReceiptFile({ bytes: await readBounded(path, MAX_BYTES), key }), options, io)
}

const readTerms = async (path: string, options: PolicyOptions, io: Io) => ({
  bytes: await readBounded(path, MAX_BYTES),
  policy: await readPolicyFile(options.policy),
  roots: await readRootFile(options.root),
  now: instant(options, io),
})

const instant = ({ now }: { readonly now?: string }, io: Io): number =>
  now === undefined ? io.now : parseInstant(now)

const show = (verdict: Verdict, { json }: Output, io: Io): number => {
  io.out(json === true ? asciiJson(verdict) : verdictText(verdict))
  return verdict.exit_code
}
