import { ABORT_CLASSES, type Capacity, type Contract, isModelOutcome } from '@parley/protocol'
import { ceilLog2 } from './bit-length.js'
import { chargeMillibits } from './charge-millibits.js'

type Evaluator = NonNullable<Contract['evaluator']>

/**
 * What one session under a schema can tell. A participant that sees an abort class instead of an output has
 * learnt something too, so each class that can be told apart is one more outcome: 4 with a program, 7 with a model.
 * @param outputs distinct outputs, counted exactly
 * @param agentvaultBits AgentVault's own figure, reported beside ours
 * @param evaluator what evaluates the contract: `llm` and `local` can also refuse, be cut off or be unreachable
 * @see protocol SPEC §6
 */
export const capacityOf = (
  outputs: bigint,
  agentvaultBits: number | null,
  evaluator: Evaluator,
): Capacity => {
  const outcomes = outputs + abortClasses(evaluator)
  return {
    outputs: outputs.toString(),
    outcomes: outcomes.toString(),
    bits: ceilLog2(outcomes),
    charge_millibits: chargeMillibits(outcomes),
    agentvault_bits: agentvaultBits,
  }
}

const abortClasses = (evaluator: Evaluator): bigint => {
  const met = ABORT_CLASSES.filter(
    (abort_class) => evaluator !== 'cel' || !isModelOutcome({ status: 'ABORTED', abort_class }),
  )
  return BigInt(met.length)
}
