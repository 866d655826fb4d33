import type { AppraisedOffer } from '@parley/verifier'
import { AgentError } from '../agent-error.js'
import type { Session } from '../session.js'
import { type HomeOption, participantOf } from './home.js'
import { type Io, printJson } from './io.js'
import { readJsonFile } from './read-input.js'
import { termsText } from './terms-text.js'
import { withPatience } from './with-patience.js'

/** The options of `parley session submit`. */
export type SubmitOptions = HomeOption & {
  readonly input: string
  readonly yes?: true
  /** Milliseconds, for the others' joins and again for their consents. */
  readonly wait: number
  readonly json?: true
}

/**
 * `parley session submit`: checks the input, waits for the offer, appraises and shows it, and on a yes consents and
 * submits.
 */
export const runSubmit = async (sessionId: string, options: SubmitOptions, io: Io): Promise<number> => {
  const input = await readJsonFile(options.input)
  const participant = await participantOf(options, io)
  const session = await participant.resume(sessionId)
  participant.check(session, input)
  const patiently = withPatience(io)
  const offer = await patiently(options.wait, (waitMs) => participant.offer(session, waitMs))
  await requireYes(session, offer, options, io)
  await participant.consent(session, offer)
  await patiently(options.wait, (waitMs) => participant.submit(session, input, waitMs))
  if (options.json === true) printJson(io, { session_id: sessionId, offer, submitted: true })
  else io.out('submitted\n')
  return 0
}

const requireYes = async (
  session: Session,
  offer: AppraisedOffer,
  { yes }: SubmitOptions,
  io: Io,
): Promise<void> => {
  const { contract, artefacts, role, seats, tag, limit_millibits, ledger_entry } = session.file.record
  io.err(
    termsText({
      relay: session.relay,
      offer,
      contract,
      artefacts,
      role,
      seats,
      tag,
      limitMillibits: limit_millibits,
      spentMillibits: ledger_entry?.after_millibits ?? 0,
    }),
  )
  if (yes === true) return
  if (io.confirm === null) throw new AgentError('argument_invalid', 'to consent to these terms, say --yes')
  if (!(await io.confirm('Consent to these terms and submit? [y/N] ')))
    throw new AgentError('argument_invalid', 'not consented; nothing was submitted')
}
