import { classificationOf } from '../ingress/classification-label.js'
import { type Refused, refused } from '../refused.js'
import type { DataPolicy } from './data-policy.js'
import type { Engine } from './engine-policy.js'
import { isResident } from './residency-policy.js'

/** Why data may not go to an engine. The list is closed. */
export type DataFlowCode =
  | 'unknown_label'
  | 'unknown_engine'
  | 'engine_forbidden'
  | 'engine_not_allowed'
  | 'engine_not_resident'
  | 'label_not_for_engine'

/** The engine that may have the data, or why it may not. */
export type DataFlow = { readonly ok: true; readonly engine: Engine } | Refused<DataFlowCode>

/**
 * Whether data of a label may go to an engine: forbidden beats allowed, and what is neither is not allowed.
 * @param label the strictest of all that the data carries; a text that is no label is refused, not taken for a laxer one
 * @param engine its id in the policy
 * @see protocol SPEC "Classification and egress"
 */
export const checkDataFlow = (
  policy: Pick<DataPolicy, 'engines' | 'residency'>,
  flow: { readonly label: string; readonly engine: string },
): DataFlow => {
  const { matrix, engines, allowed_engines, forbid_engines } = policy.engines
  const label = classificationOf(flow.label)
  if (label === undefined) return refused('unknown_label', '/label')
  const engine = engines.find(({ id }) => id === flow.engine)
  if (engine === undefined) return refused('unknown_engine', '/engine')
  if (forbid_engines.includes(engine.id)) return refused('engine_forbidden', '/engine')
  if (!allowed_engines.includes(engine.id)) return refused('engine_not_allowed', '/engine')
  if (!isResident(policy.residency, engine.locality)) return refused('engine_not_resident', '/engine')
  const { localities, egress } = matrix[label]
  return localities.includes(engine.locality) && egress.includes(engine.egress)
    ? { ok: true, engine }
    : refused('label_not_for_engine', '/label')
}
