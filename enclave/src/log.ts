import type { ReportInterface } from '@parley/attestation/node'
import type { RefusalCode } from '@parley/protocol'
import type { RelayErrorCode } from './relay-error.js'

/** The class of a status that was answered in clear. */
export type StatusClass = '2xx' | '4xx' | '5xx'

/**
 * All that the relay ever says to its operator. Control data only: no member depends on an input or an output, and
 * the type makes anything else impossible. Inner refusal codes beyond those named here may depend on an input.
 */
export type LogEvent =
  | {
      readonly event: 'relay_started'
      readonly keyset_digest: string
      readonly epoch: string
      readonly url: string
    }
  | { readonly event: 'collector_chosen'; readonly by: ReportInterface }
  | { readonly event: 'previous_epoch_lost'; readonly epochs: number }
  | { readonly event: 'registered'; readonly key_id: number }
  | { readonly event: 'registration_lost'; readonly key_id: number }
  | { readonly event: 'request'; readonly tick: number; readonly status_class: StatusClass }
  | {
      readonly event: 'refused'
      readonly tick: number
      readonly code: Extract<
        RefusalCode,
        'request_replayed' | 'keyset_expired' | 'relay_overloaded' | 'relay_failed'
      >
    }
  | { readonly event: 'report_failed'; readonly code: RelayErrorCode }
  /** What the operator of a software relay had erased. */
  | {
      readonly event: 'subject_erased'
      readonly sessions: number
      readonly records: number
      readonly open: number
    }
  | { readonly event: 'session_ended'; readonly tick: number }
  /** AgentVault's API is open, with the key of its receipts. */
  | { readonly event: 'agentvault_api_started'; readonly url: string; readonly verifying_key_hex: string }
  | { readonly event: 'policy_reloaded'; readonly policy_bundle_hash: string }
  /** The policy directory was to be read anew, and what was in force stays. */
  | { readonly event: 'policy_kept'; readonly because: RelayErrorCode | 'unchanged' | 'measured' }
  | { readonly event: 'relay_stopped' }

/** Where events go. */
export type Log = (event: LogEvent) => void

/** One JSON line an event. */
export function jsonLog(write: (line: string) => void): Log {
  return (event) => {
    write(`${JSON.stringify(event)}\n`)
  }
}

/** The class of an HTTP status. */
export const statusClass = (status: number): StatusClass =>
  status < 300 ? '2xx' : status < 500 ? '4xx' : '5xx'
