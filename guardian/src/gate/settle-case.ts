import { factsOfCase, type GateCase, type Stage } from './gate-case.js'
import type { Outcome } from './outcome.js'

/** Records how a case ended, and answers with it; the answer is what the record says. */
export const settleCase = async (given: GateCase, stage: Stage): Promise<Outcome> => {
  const { effect_id } = given.statement
  if (stage.kind === 'completed') {
    const content = { result: stage.result }
    if (await given.run.advance({ event: 'completed', facts: factsOfCase(stage.at), content }))
      return { kind: 'completed', effect_id, result: stage.result }
  }
  if (stage.kind === 'ended') {
    const { kind, reason } = stage.ending
    if (await given.run.advance({ event: kind, facts: factsOfCase(stage.at), reason }))
      return { ...stage.ending, effect_id }
  }
  return stoppedOutcome(given)
}

// Another end came first: the effect's own cancellation, the run's end, or a record that could not be written.
const stoppedOutcome = ({ run, statement: { effect_id } }: GateCase): Outcome => {
  const standing = run.effect(effect_id)
  if (standing?.state === 'cancelled' && standing.reason === 'cancelled_while_running')
    return { kind: 'cancelled', effect_id, reason: standing.reason }
  if (run.state === 'unwritten' && standing?.state !== 'cancelled')
    return { kind: 'failed', effect_id, reason: 'evidence_unwritten' }
  return { kind: 'cancelled', effect_id, reason: 'cancelled_before_start' }
}
