import { AttestationError } from '@parley/attestation'
import { ProtocolError } from '@parley/protocol'
import { AgentError, type AgentErrorCode } from '../agent-error.js'
import { RelayRefusal } from '../relay-refusal.js'

/** What an exit code of `parley` means; 2 to 5 as for `parley-verify`. */
export const EXIT_CODES = `
Exit codes: 0 done; 1 usage or this machine; 2 to 5 as parley-verify (2 not genuine, 3 not expected, 4 does not match,
5 malformed); 6 the relay refused, and signed it; 7 no answer, or not yet.`

const CODES: Readonly<Partial<Record<AgentErrorCode, number>>> = {
  relay_not_trusted: 3,
  relay_changed: 3,
  keyset_expired: 3,
  offer_refused: 4,
  result_mismatch: 4,
  ledger_mismatch: 4,
  answer_malformed: 5,
  relay_unreachable: 7,
  gateway_refused: 7,
  gateway_key_unknown: 7,
  offer_timeout: 7,
  consent_timeout: 7,
  result_timeout: 7,
}

/** The exit code and the line for an error of ours; undefined for any other, which is a defect. */
export const explain = (error: unknown): { readonly code: number; readonly text: string } | undefined => {
  if (error instanceof RelayRefusal) return { code: 6, text: `${error.code}: ${error.message}` }
  if (error instanceof AgentError)
    return { code: CODES[error.code] ?? 1, text: `${error.code}: ${error.message}` }
  if (error instanceof ProtocolError) return { code: 5, text: `${error.code}: ${error.message}` }
  if (error instanceof AttestationError) return { code: 1, text: `${error.code}: ${error.message}` }
  return undefined
}
