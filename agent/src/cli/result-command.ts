import { type Bundle, canonicalize } from '@parley/protocol'
import { parseVerifierPolicy, type Verdict, verdictText, verifyBundle } from '@parley/verifier'
import { printable } from '@parley/verifier/node'
import { AgentError } from '../agent-error.js'
import type { Participant } from '../participant.js'
import { parseRelayUrl } from '../relay-url.js'
import { bundleBytes, saveBundle } from '../save-bundle.js'
import type { Session } from '../session.js'
import { recordedTrust } from '../session-record.js'
import { rootTerms } from '../trust.js'
import { type HomeOption, participantOf } from './home.js'
import { type Io, printJson } from './io.js'
import { readTrust, type TrustOptions } from './read-input.js'
import { withPatience } from './with-patience.js'

/** The options of `parley session result`. */
export type ResultOptions = HomeOption &
  Partial<TrustOptions> & {
    readonly relay?: string
    readonly out?: string
    readonly openInput?: true
    /** Milliseconds; 0 asks once. */
    readonly wait: number
    readonly json?: true
  }

/** The longest that a released result is held back for its hardware path. */
const HARDWARE_WAIT_MS = 20_000

/** `parley session result`: fetches the result, holds it against the own record, verifies and saves the bundle. */
export const runResult = async (sessionId: string, options: ResultOptions, io: Io): Promise<number> => {
  const participant = await participantOf(options, io)
  const session = await sessionOf(sessionId, options, participant)
  const bundle = await withPatience(io)(options.wait, (waitMs) =>
    participant.result(session, {
      waitMs,
      hardwareWaitMs: Math.min(options.wait, HARDWARE_WAIT_MS),
      openInput: options.openInput === true,
    }),
  )
  const file = options.out ?? `${sessionId.slice(0, 16)}.parley.json`
  await saveBundle(file, bundle)
  const verdict = await verify(session, bundle, io)
  if (options.json === true) printJson(io, summary(bundle, file, verdict))
  else io.out(resultText(bundle, file, verdict))
  return verdict.exit_code
}

/** The session at its relay, or at the one that is named: where that was restarted, it has other keys. */
const sessionOf = async (
  sessionId: string,
  { relay, policy, ...roots }: ResultOptions,
  participant: Participant,
): Promise<Session> => {
  if (relay === undefined && policy === undefined) return participant.resume(sessionId)
  if (relay === undefined || policy === undefined)
    throw new AgentError('argument_invalid', 'say both --relay and --policy, or neither')
  const trust = await readTrust({ ...roots, policy })
  return participant.revisit(sessionId, await participant.attest(parseRelayUrl(relay), trust))
}

const verify = ({ file }: Session, bundle: Bundle, { clock }: Io): Promise<Verdict> => {
  const trust = recordedTrust(file.record)
  return verifyBundle({
    bytes: bundleBytes(bundle),
    policy: parseVerifierPolicy(trust.policy),
    ...rootTerms(trust),
    now: clock.nowMs(),
  })
}

const summary = (bundle: Bundle, file: string, verdict: Verdict): object => ({
  session_id: bundle.receipt.session_id,
  outcome: bundle.receipt.outcome,
  output: bundle.openings.output?.output ?? null,
  findings: bundle.openings.output?.findings ?? [],
  hardware_path: bundle.hardware_path.status,
  bundle_file: file,
  verdict,
})

const findingLines = ({ openings }: Bundle): readonly string[] =>
  (openings.output?.findings ?? []).map((rule) => `finding   ${printable(rule)}`)

const resultText = (bundle: Bundle, file: string, verdict: Verdict): string => {
  const { status, abort_class } = bundle.receipt.outcome
  const [headline = ''] = verdictText(verdict).split('\n')
  return [
    `outcome   ${abort_class ?? status}`,
    `output    ${printable(canonicalize(bundle.openings.output?.output ?? null))}`,
    ...findingLines(bundle),
    `bundle    ${printable(file)}`,
    `verdict   ${headline}`,
    '',
  ].join('\n')
}
