import type { Evaluator } from '@parley/guardian'
import type { Limits } from '../policy-bundle.js'

type SlotLimits = Pick<Limits, 'release_slot_ms' | 'model_slot_ms'>

/**
 * The distance of the moments at which a session may commit. How long a local model takes follows from the inputs, so
 * that its slot holds all the time that a model gets; how long a provider takes is the provider's to choose.
 */
export const slotMsOf = ({ model_slot_ms, release_slot_ms }: SlotLimits, evaluator: Evaluator): number =>
  evaluator === 'local' ? Math.max(model_slot_ms, release_slot_ms) : release_slot_ms

/** When a model must have answered: well before the middle of its slot, where the commit is. */
export const modelEndsAtMs = (limits: SlotLimits, acceptedMs: number): number =>
  acceptedMs + Math.floor((slotMsOf(limits, 'local') * 3) / 8)

/** The longest time from the last input to a model's receipt that only a failing commit prolongs. */
export const longestMs = (limits: SlotLimits): number => slotMsOf(limits, 'local') + limits.release_slot_ms
