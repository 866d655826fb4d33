import type { Trust } from '@parley/agent'
import type { Bundle, Lane } from '@parley/protocol'
import { agreed, collectBoth, submitBoth } from './confer.js'
import { type OpenStage, openStage } from './stage.js'

/** The bundle of a session that was really held, with all open that can be, and what it is to be judged by. */
export type RealBundle = { readonly bundle: Bundle; readonly trust: Trust; readonly stage: OpenStage }

/** Holds a session, waits for its hardware path, and lets both participants open their inputs to one another. */
export const realBundle = async (lane: Lane): Promise<RealBundle> => {
  const stage = await openStage(lane)
  const seated = await agreed(stage)
  await submitBoth(stage, seated)
  const [one, other] = await collectBoth(stage, seated, { hardware: true, openInput: true })
  const inputs = [...one.openings.inputs, ...other.openings.inputs]
  return { bundle: { ...one, openings: { ...one.openings, inputs } }, trust: stage.trust, stage }
}
