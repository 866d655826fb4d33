import { type EgressPolicy, NO_EGRESS } from '../egress/egress-policy.js'
import { type EnginePolicy, NO_ENGINES } from './engine-policy.js'
import { LOCAL_ONLY, type ResidencyPolicy } from './residency-policy.js'

/** Where data may go: to which engines, in which places, to which hosts. */
export type DataPolicy = {
  readonly engines: EnginePolicy
  readonly residency: ResidencyPolicy
  readonly egress: EgressPolicy
}

/** No engine, no other place, no host: what applies where nothing is said. */
export const CLOSED_DATA_POLICY: DataPolicy = {
  engines: NO_ENGINES,
  residency: LOCAL_ONLY,
  egress: NO_EGRESS,
}
