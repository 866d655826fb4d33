import { toHex } from '../bytes.js'
import { labelledDigest } from '../digest.js'
import type { JsonValue } from '../json-value.js'
import { type Lane, label } from '../labels.js'
import type { Role } from './role.js'

/** Salted commitment to one participant's input, lower-case hex. `salt` is the participant's own 32 octets, base64url (SPEC §10). */
export function commitInput(
  lane: Lane,
  opened: {
    readonly session_id: string
    readonly role: Role
    readonly salt: string
    readonly input: JsonValue
  },
): string {
  return toHex(labelledDigest(label(lane, 'input'), opened))
}

/**
 * Salted commitment to an output and the findings on it, lower-case hex: to the whole output, or to what one participant
 * gets of it, without findings. The output of an aborted session is null.
 */
export function commitOutput(lane: Lane, { session_id, salt, output, findings }: OpenedOutput): string {
  return toHex(labelledDigest(label(lane, 'output'), { session_id, salt, output, findings }))
}

/** What an output commitment commits to. `salt` is the relay's, 32 octets, base64url (SPEC §12). */
export type OpenedOutput = {
  readonly session_id: string
  readonly salt: string
  readonly output: JsonValue
  /** Rule ids of the advisory rules that matched. */
  readonly findings: readonly string[]
}
