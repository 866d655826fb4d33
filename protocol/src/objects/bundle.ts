import * as v from 'valibot'
import { ProtocolError } from '../errors.js'
import type { JsonValue } from '../json-value.js'
import { artefacts } from './artefacts.js'
import { auditOpening } from './audit.js'
import { binding } from './binding.js'
import { consent } from './consent.js'
import { parseContract } from './contract.js'
import { decode } from './decode.js'
import { type Evidence, parseEvidence } from './evidence.js'
import { base64url, json, jsonObject, text } from './formats.js'
import { ledgerEntry } from './ledger.js'
import { coherentOffer } from './offer.js'
import { coherentReceipt } from './receipt.js'
import { each, MOST_PARTICIPANTS, role } from './role.js'
import { transcript } from './transcript.js'

// Ids of a policy's rules.
const findings = v.pipe(v.array(text(128)), v.maxLength(1024))
const openedOutput = v.strictObject({ role: v.nullable(role), salt: base64url(32), output: json, findings })
const openedInput = v.strictObject({ role, salt: base64url(32), input: json })
const openedLedger = v.strictObject({ role, before: v.nullable(ledgerEntry), after: v.nullable(ledgerEntry) })

const hardwarePath = v.variant('status', [
  v.strictObject({ status: v.literal('pending'), binding: v.null() }),
  v.strictObject({ status: v.literal('present'), binding }),
])

const bundle = v.strictObject({
  version: v.literal('parley-bundle-v1'),
  receipt: coherentReceipt,
  contract: jsonObject,
  artefacts,
  guardian_policy: jsonObject,
  offer: v.nullable(coherentOffer),
  consents: each(v.nullable(consent)),
  transcript,
  openings: v.strictObject({
    output: v.nullable(openedOutput),
    inputs: v.pipe(v.array(openedInput), v.maxLength(MOST_PARTICIPANTS)),
    ledger: v.pipe(v.array(openedLedger), v.maxLength(MOST_PARTICIPANTS)),
    audit: v.nullable(auditOpening),
  }),
  evidence: jsonObject,
  provider_evidence: v.nullable(jsonObject),
  hardware_path: hardwarePath,
})

/** One file for an offline verifier: receipt, what it commits to, openings, evidence, hardware path (SPEC §15). */
export type Bundle = Omit<v.InferOutput<typeof bundle>, 'contract' | 'evidence' | 'provider_evidence'> & {
  readonly contract: ReturnType<typeof parseContract>
  readonly evidence: Evidence
  readonly provider_evidence: Evidence | null
}

/** The later report that binds a receipt: still to come, or present. */
export type HardwarePath = v.InferOutput<typeof hardwarePath>

/**
 * Reads a bundle and every object in it, each with a row for every participant of its contract. Nothing is proven by
 * that.
 * @throws ProtocolError object_malformed
 */
export function parseBundle(value: JsonValue): Bundle {
  const read = decode(bundle, value, 'bundle')
  const contract = parseContract(read.contract)
  requireRows(read, contract.participants.length)
  return {
    ...read,
    contract,
    evidence: parseEvidence(read.evidence),
    provider_evidence: read.provider_evidence === null ? null : parseEvidence(read.provider_evidence),
  }
}

const requireRows = (
  { receipt, offer, consents, transcript }: v.InferOutput<typeof bundle>,
  most: number,
): void => {
  const all = [receipt.participants, offer?.participants ?? consents, consents, transcript.participants]
  if (all.some(({ length }) => length !== most))
    throw new ProtocolError('object_malformed', 'bundle: its rows are not one for each participant')
}
