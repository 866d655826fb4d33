import { type Bundle, parseBundle, parseResult } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { checkResult } from './check-result.js'
import { openOwnInput } from './open-own-input.js'
import { pollUntil } from './poll.js'
import { ask, pathIn, type Session } from './session.js'
import { receiptKeyOf } from './session-record.js'

/** How long to wait, and what to open. */
export type ResultWish = {
  /** For the release, in milliseconds. */
  readonly waitMs: number
  /** For the hardware path after it, in milliseconds; the bundle says `pending` where the time is up. */
  readonly hardwareWaitMs: number
  /** Whether the bundle shall hold the participant's own input, so that whoever gets it can check it. */
  readonly openInput: boolean
}

/**
 * Waits for the result, holds it against the participant's own record, and keeps the new ledger head.
 * @returns the bundle as received, with the own input opened if that was asked
 * @throws AgentError `result_timeout`, `result_mismatch`, `ledger_mismatch`
 * @see SPEC §15
 */
export const awaitResult = async (session: Session, wish: ResultWish): Promise<Bundle> => {
  const first = await pollUntil(session.clock, wish.waitMs, (waitSeconds) => pollResult(session, waitSeconds))
  if (first === undefined) throw new AgentError('result_timeout', 'the session has not ended yet')
  const present = isPresent(first) ? first : await awaitHardware(session, wish.hardwareWaitMs)
  const bundle = present ?? first
  const head = checkResult(session, bundle)
  if (head !== null) await session.wallet.keep(head, receiptKeyOf(session.file.record))
  return wish.openInput ? openOwnInput(session, bundle) : bundle
}

const pollResult = async (session: Session, waitSeconds: number): Promise<Bundle | undefined> => {
  const { bundle } = parseResult(
    await ask(session, { method: 'GET', path: pathIn(session, 'result'), waitSeconds }),
  )
  return bundle === null ? undefined : parseBundle(bundle)
}

const isPresent = ({ hardware_path }: Bundle): boolean => hardware_path.status === 'present'

const awaitHardware = (session: Session, waitMs: number): Promise<Bundle | undefined> =>
  waitMs <= 0
    ? Promise.resolve(undefined)
    : pollUntil(session.clock, waitMs, async () => {
        const bundle = await pollResult(session, 0)
        return bundle !== undefined && isPresent(bundle) ? bundle : undefined
      })
