import { sha256, toHex, utf8 } from '@parley/protocol'
import type { RejectionReason } from './rejection-reason.js'
import type { ResponseReason } from './check-response.js'

/**
 * What the log may hold of tasks: control data, nothing that a sender or a worker wrote freely. No instruction, no name or
 * octet of an attachment, no output, no path, no key, no whole nonce, no whole digest.
 */
export type A2aEvent =
  | {
      readonly event: 'A2A.envelope_received'
      readonly fields: {
        readonly task_id: string
        readonly origin_id: string
        readonly nonce_prefix: string
        readonly sender_instance_id: string
        readonly ttl_s: number
        readonly purpose_id: string | null
      }
    }
  | {
      readonly event: 'A2A.envelope_sent'
      readonly fields: { readonly task_id: string; readonly endpoint_id: string; readonly ttl_s: number }
    }
  | {
      readonly event: 'A2A.engine_spawned'
      readonly fields: {
        readonly task_id: string
        readonly engine_id: string
        readonly persona: string
        readonly channel: string
        readonly chat_key: string
      }
    }
  | {
      readonly event: 'A2A.result_filtered'
      readonly fields: {
        readonly task_id: string
        readonly filter_pass_count: number
        readonly filter_reject_count: number
      }
    }
  | {
      readonly event: 'A2A.response_signed'
      readonly fields: {
        readonly task_id: string
        readonly instance_id: string
        readonly endpoint_id: string
        readonly http_status: number
        readonly duration_ms: number
      }
    }
  | {
      readonly event: 'A2A.response_received'
      readonly fields: {
        readonly task_id: string
        readonly endpoint_id: string
        readonly instance_id_match: boolean
        readonly http_status: number
      }
    }
  | {
      readonly event: 'A2A.request_rejected'
      readonly fields: {
        readonly task_id: string | null
        readonly origin_id: string | null
        readonly reason: RejectionReason
      }
    }
  | {
      /** How many more rejections a minute had than are written each. */
      readonly event: 'A2A.requests_rejected'
      readonly fields: { readonly count: number; readonly of_strangers: boolean }
    }
  | {
      readonly event: 'A2A.response_rejected'
      readonly fields: {
        readonly task_id: string
        readonly endpoint_id: string
        readonly reason: ResponseReason
      }
    }
  | {
      readonly event: 'A2A.subagents_force_restricted'
      readonly fields: { readonly task_id: string; readonly origin_id: string }
    }

const ID = /^[A-Za-z0-9._:@-]{1,128}$/
// From here on a number may be somebody's.
const LONG_NUMBER = /^[0-9]{14,}$/

const HEX_PREFIX = /^[0-9a-f]{8}/

/** What the log may hold of a nonce: its first 8 digits, or, of one that doesn't begin so, those of its SHA-256. */
export const loggedNonce = (nonce: string): string =>
  (HEX_PREFIX.test(nonce) ? nonce : toHex(sha256(utf8(nonce)))).slice(0, 8)

/** An id as the log may hold it: a text that is not shaped like an id was somebody's to write, and stays out. */
export const loggedId = (text: string): string =>
  ID.test(text) && !LONG_NUMBER.test(text) ? text : 'redacted'
