import * as v from 'valibot'
import type { JsonValue } from '../json-value.js'
import { auditOpening } from './audit.js'
import { binding } from './binding.js'
import { consent } from './consent.js'
import { parseContract } from './contract.js'
import { decode } from './decode.js'
import { type Evidence, parseEvidence } from './evidence.js'
import { base64url, json, jsonObject, role } from './formats.js'
import { ledgerEntry } from './ledger.js'
import { offer, parseOffer } from './offer.js'
import { parseReceipt, receipt } from './receipt.js'
import { transcript } from './transcript.js'

const openedInput = v.strictObject({ role, salt: base64url(32), input: json })
const openedLedger = v.strictObject({ role, before: v.nullable(ledgerEntry), after: v.nullable(ledgerEntry) })

const hardwarePath = v.variant('status', [
  v.strictObject({ status: v.literal('pending'), binding: v.null() }),
  v.strictObject({ status: v.literal('present'), binding }),
])

const bundle = v.strictObject({
  version: v.literal('parley-bundle-v1'),
  receipt,
  contract: jsonObject,
  guardian_policy: jsonObject,
  offer: v.nullable(offer),
  consents: v.strictTuple([v.nullable(consent), v.nullable(consent)]),
  transcript,
  openings: v.strictObject({
    output: v.nullable(v.strictObject({ salt: base64url(32), output: json })),
    inputs: v.pipe(v.array(openedInput), v.maxLength(2)),
    ledger: v.pipe(v.array(openedLedger), v.maxLength(2)),
    audit: v.nullable(auditOpening),
  }),
  evidence: jsonObject,
  hardware_path: hardwarePath,
})

/** One file for an offline verifier: receipt, what it commits to, openings, evidence, hardware path (SPEC §15). */
export type Bundle = Omit<v.InferOutput<typeof bundle>, 'contract' | 'evidence'> & {
  readonly contract: ReturnType<typeof parseContract>
  readonly evidence: Evidence
}

/** The later report that binds a receipt: still to come, or present. */
export type HardwarePath = v.InferOutput<typeof hardwarePath>

/**
 * Reads a bundle and every object in it. Nothing is proven by that.
 * @throws ProtocolError object_malformed
 */
export function parseBundle(value: JsonValue): Bundle {
  const read = decode(bundle, value, 'bundle')
  parseReceipt(read.receipt)
  if (read.offer !== null) parseOffer(read.offer)
  return { ...read, contract: parseContract(read.contract), evidence: parseEvidence(read.evidence) }
}
