import type { Ed25519PublicKey, JsonValue } from '@parley/protocol'
import { attempted, derived, type Finding, notRun } from '../finding.js'
import { drawVerdict, NOTHING, type Verdict } from '../verdict.js'
import {
  appraiseReport,
  type ReportAppraisal,
  type ReportExpectations,
  unappraised,
} from './appraise-report.js'
import { type Artefacts, checkArtefacts } from './check-artefacts.js'
import { checkKeys } from './check-keys.js'
import { checkLevel } from './check-level.js'
import { checkConfig, checkOutput } from './check-output.js'
import { checkTee } from './check-tee.js'
import { type ForeignReceipt, isCompleted, readForeign, verifyForeign } from './foreign-receipt.js'

/** A receipt of AgentVault, the key that its reader trusts for it, and what he holds of the session. */
export type AgentVaultToVerify = {
  /** The JSON of one receipt, in UTF-8. */
  readonly bytes: Uint8Array
  readonly key: Ed25519PublicKey
  readonly artefacts: Artefacts
  /** Undefined where he has none. */
  readonly output?: JsonValue
  /** Null where he expects no hardware. */
  readonly report: ReportExpectations | null
}

/**
 * Verifies a receipt of AgentVault as a stranger's: it shows what the holder of the pinned key signed, and that the
 * artefacts given are those it names. The level is SELF_ASSERTED at the most, even where the report inside is genuine:
 * their transcript names neither session nor time. Never throws on a bad receipt.
 * @throws AttestationError reference_value_missing, argument_invalid for `report`
 * @throws ProtocolError json_malformed, json_too_deep for artefacts and output
 * @see protocol SPEC §20
 */
export const verifyAgentVaultReceipt = async (given: AgentVaultToVerify): Promise<Verdict> => {
  const read = readOrFailed(given.bytes)
  if ('result' in read) return malformed(read)
  return judge(read, given, await appraiseReport(read, given.key, given.report))
}

/** The same without artefacts, and without a look at hardware. */
export const verifyForeignAlone = (bytes: Uint8Array, key: Ed25519PublicKey): Verdict => {
  const read = readOrFailed(bytes)
  return 'result' in read ? malformed(read) : judge(read, { key, artefacts: {} }, unappraised(read))
}

const readOrFailed = (bytes: Uint8Array): ForeignReceipt | Finding =>
  derived('agentvault_form', () => readForeign(bytes))

const malformed = (finding: Finding): Verdict =>
  drawVerdict({ ...NOTHING, procedure: 'agentvault', findings: [finding] })

type Held = Pick<AgentVaultToVerify, 'key' | 'artefacts' | 'output'>

const judge = (
  read: ForeignReceipt,
  { key, artefacts, output: given }: Held,
  { findings: ofReport, ...hardware }: ReportAppraisal,
): Verdict => {
  const signature = attempted('agentvault_signature', () => {
    verifyForeign(read, key)
  })
  const { finding, output } = checkOutput(read, given)
  const holds = signature.result === 'passed'
  return drawVerdict({
    ...NOTHING,
    ...hardware,
    procedure: 'agentvault',
    findings: [
      { name: 'agentvault_form', result: 'passed', detail: inWords(read) },
      signature,
      ...checkKeys(read, key),
      checkLevel(read),
      ...checkArtefacts(read, artefacts, key),
      finding,
      checkConfig(read),
      // Inputs are committed to without a salt, and whoever tries them all needs no verifier for it.
      notRun('agentvault_inputs', 'inputs_not_open'),
      notRun('agentvault_claims', 'asserted_only'),
      ...checkTee(read, key),
      ...ofReport,
    ],
    assurance_level: holds ? 'SELF_ASSERTED' : null,
    session_id: holds ? read.receipt.session_id : null,
    outcome: holds && isCompleted(read) === true ? { status: 'COMPLETED', abort_class: null } : null,
    output,
  })
}

const inWords = (read: ForeignReceipt): string =>
  read.form === '1.0.0'
    ? `1.0.0, ${read.receipt.status}`
    : `2.1.0, status ${read.receipt.claims.status ?? 'not told'}`
