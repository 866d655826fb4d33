import { ABORT_CLASSES, type Capacity } from '@parley/protocol'
import { ceilLog2 } from './bit-length.js'
import { chargeMillibits } from './charge-millibits.js'

/**
 * What one session under a schema can tell. A participant that sees an abort class instead of an output has
 * learnt something too, so each class that can be told apart is one more outcome.
 * @param outputs distinct outputs, counted exactly
 * @param agentvaultBits AgentVault's own figure, reported beside ours
 * @see protocol SPEC §6
 */
export const capacityOf = (outputs: bigint, agentvaultBits: number | null): Capacity => {
  const outcomes = outputs + BigInt(ABORT_CLASSES.length)
  return {
    outputs: outputs.toString(),
    outcomes: outcomes.toString(),
    bits: ceilLog2(outcomes),
    charge_millibits: chargeMillibits(outcomes),
    agentvault_bits: agentvaultBits,
  }
}
