import { toHex } from '../bytes.js'
import { labelledDigest } from '../digest.js'
import type { JsonValue } from '../json-value.js'
import { type Lane, label } from '../labels.js'
import type { Role } from './formats.js'

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

/** Salted commitment to the output, lower-case hex; the output of an aborted session is null. */
export function commitOutput(
  lane: Lane,
  opened: { readonly session_id: string; readonly salt: string; readonly output: JsonValue },
): string {
  return toHex(labelledDigest(label(lane, 'output'), opened))
}
