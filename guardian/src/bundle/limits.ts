import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { readBundleForm } from './read-bundle-form.js'

const integer = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

const limits = v.strictObject({
  session_ttl_seconds: integer(1, 86_400),
  keyset_lifetime_seconds: integer(60, 2_592_000),
  // Each costs about 100 octets of memory for as long as the key lives.
  replay_entries: integer(1, 8_000_000),
  concurrent_requests: integer(1, 65_536),
  sessions: integer(1, 1_000_000),
  sessions_per_participant: integer(1, 1_000_000),
  // Canonical bytes: of one contract, of all contracts of open sessions, of all inputs not yet evaluated.
  contract_bytes: integer(1024, 2_097_152),
  open_contract_bytes: integer(1024, 1_073_741_824),
  open_input_bytes: integer(1024, 1_073_741_824),
  tick_ms: integer(1, 60_000),
  release_slot_ms: integer(1, 600_000),
  // The slot of a `local` model's release; three eighths of it are all the time that any model gets.
  model_slot_ms: integer(1, 3_600_000),
  date_window_seconds: integer(1, 3600),
  report_window_ms: integer(0, 60_000),
  evidence_per_minute: integer(1, 100_000),
})

/** A relay's bounds: `limits.json` of the policy bundle. */
export type Limits = Readonly<v.InferOutput<typeof limits>>

/**
 * Reads the bounds of a relay; every one is stated.
 * @throws ProtocolError `object_malformed`
 */
export const parseLimits = (value: JsonValue): Limits => readBundleForm(limits, value)
