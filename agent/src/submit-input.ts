import { randomBytes } from 'node:crypto'
import { compileInputSchema } from '@parley/guardian'
import {
  canonicalize,
  commitInput,
  type JsonValue,
  MAX_MESSAGE_BYTES,
  parseAccepted,
  toBase64url,
} from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { exchange } from './exchange.js'
import { RelayRefusal } from './relay-refusal.js'
import { pathIn, sealInSession, type Session } from './session.js'
import type { SessionRecord } from './session-record.js'

type Opened = { readonly input: JsonValue; readonly salt: string }

const PAUSE_MS = 1_000

/**
 * Submits the input under a salt of 32 fresh octets. While not all have consented the relay refuses, and
 * signs that nothing has happened; then the input is submitted anew until the time is up. A request whose fate is
 * unknown is never repeated here.
 * @param waitMs how long to wait for the others' consent, in milliseconds
 * @throws AgentError `offer_refused` where no offer was consented to; `input_conflict` where another input may have
 * been sent before; `consent_timeout` where the time is up.
 * @throws RelayRefusal `input_refused`, `already_submitted`, …
 * @see SPEC §10
 */
export const submitInput = async (session: Session, input: JsonValue, waitMs: number): Promise<void> => {
  requireConsent(session.file.record)
  const fresh = { input, salt: toBase64url(randomBytes(32)) }
  const deadline = session.clock.nowMs() + waitMs
  while (!(await submitted(session, fresh, deadline))) await session.clock.sleep(PAUSE_MS)
}

/** An input goes only under an offer that was appraised as expected and consented to (SPEC §9). */
const requireConsent = ({ offer, consent }: SessionRecord): void => {
  if (offer === null || consent === null)
    throw new AgentError('offer_refused', 'no offer has been appraised and consented to')
}

/** What was submitted before stays the input of this session. */
const fixed = ({ input, encapsulations }: SessionRecord, fresh: Opened): Opened => {
  if (input !== null && canonicalize(input.input) === canonicalize(fresh.input)) return input
  // Whatever was refused for sure may be replaced.
  if (encapsulations.length > 0) throw conflict()
  return fresh
}

const conflict = (): AgentError =>
  new AgentError('input_conflict', 'another input may have been sent in this session')

const unconsented = (): AgentError =>
  new AgentError(
    'consent_timeout',
    'not all have consented yet; your consent stands, your input is not in, and you may submit it again',
  )

const submitted = async (session: Session, fresh: Opened, deadline: number): Promise<boolean> => {
  const path = pathIn(session, 'input')
  // Input and encapsulation are on the disk before they are sent.
  const sealed = await sealInSession(session, (record) => {
    const opened = fixed(record, fresh)
    return {
      request: { method: 'POST', path, body: opened, mostBytes: longestBody(record) },
      recorded: (encapsulation) => ({
        input: opened,
        encapsulations: [...record.encapsulations, encapsulation],
      }),
    }
  })
  const { encapsulation } = sealed
  try {
    checkAccepted(session, await exchange(session.relay, sealed))
    await session.file.update(() => ({ input_accepted: true }))
    return true
  } catch (error) {
    // A host that delivers a request twice may show the answer to the second: then the first may have been accepted.
    if (!(error instanceof RelayRefusal) || error.code === 'request_replayed') throw error
    await session.file.update(({ encapsulations }) => ({
      encapsulations: without(encapsulations, encapsulation),
    }))
    if (error.code !== 'consent_missing') throw error
    if (session.clock.nowMs() >= deadline) throw unconsented()
    return false
  }
}

const SALTED_BYTES = '{"input":,"salt":""}'.length + 43

/** The longest body that the contract admits: the host sees its size class, and must not see this input's. */
const longestBody = ({ contract, role }: SessionRecord): number => {
  const schema = contract.input_schemas?.[role]
  const compiled = schema === undefined ? undefined : compileInputSchema(schema)
  return compiled?.ok === true ? compiled.shape.maxInputBytes + SALTED_BYTES : MAX_MESSAGE_BYTES
}

const without = (all: readonly string[], one: string): readonly string[] => all.filter((each) => each !== one)

const checkAccepted = ({ file }: Session, answer: JsonValue): void => {
  const { lane, session_id, role, input } = file.record
  const expected = input && commitInput(lane, { session_id, role, ...input })
  if (expected === null || parseAccepted(answer).input_commitment !== expected)
    throw new AgentError('result_mismatch', 'the relay commits to another input')
}
