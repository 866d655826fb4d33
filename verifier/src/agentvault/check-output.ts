import { hash, type JsonValue } from '@parley/protocol'
import { failed, type Finding, notRun, passed, same, stated } from '../finding.js'
import { type ForeignReceipt, isCompleted } from './foreign-receipt.js'

/** What the receipt's output came to, and the output itself where it is the committed one. */
export type CheckedOutput = { readonly finding: Finding; readonly output: JsonValue }

/**
 * Compares the output that the caller gave, or else the one inside the receipt, with the receipt's commitment.
 * @param given undefined where the caller has none
 */
export const checkOutput = (read: ForeignReceipt, given: JsonValue | undefined): CheckedOutput => {
  const { committed, inline } = commitmentOf(read)
  const shown = given ?? inline
  if (isCompleted(read) === false && shown !== undefined && shown !== null)
    return without(failed('agentvault_output', 'output_of_aborted', 'the session gave no output'))
  if (given !== undefined)
    return { finding: stated('agentvault_output', [compared(given, committed)]), output: given }
  return inline === undefined
    ? without(notRun('agentvault_output', 'output_not_open'))
    : ofInline(inline, committed)
}

const without = (finding: Finding): CheckedOutput => ({ finding, output: null })

const compared = (output: JsonValue, committed: string) =>
  same(hash(output), committed, 'opening_mismatch', 'output')

// Both were signed, so nobody but their signer can have made them differ. Then which of them was meant is open, and
// none is shown as the output.
const ofInline = (inline: JsonValue, committed: string): CheckedOutput =>
  hash(inline) === committed
    ? { finding: passed('agentvault_output'), output: inline }
    : without(notRun('agentvault_output', 'inline_differs'))

type Commitment = { readonly committed: string; readonly inline: JsonValue | undefined }

const commitmentOf = (read: ForeignReceipt): Commitment => {
  if (read.form === '1.0.0') return { committed: hash(read.receipt.output), inline: read.receipt.output }
  const { output_hash, output } = read.receipt.commitments
  return { committed: output_hash, inline: output }
}

/** Whether the effective configuration is the hash of the preflight bundle that stands beside it. */
export const checkConfig = (read: ForeignReceipt): Finding => {
  if (read.form === '1.0.0') return notRun('agentvault_config', 'not_named')
  const { effective_config_hash: named, preflight_bundle: bundle } = read.receipt.commitments
  if (named === undefined || bundle === undefined) return notRun('agentvault_config', 'not_named')
  return hash(bundle) === named ? passed('agentvault_config') : notRun('agentvault_config', 'inline_differs')
}
