export { checkDataFlow, type DataFlow, type DataFlowCode } from './check-data-flow.js'
export { CLOSED_DATA_POLICY, type DataPolicy } from './data-policy.js'
export {
  type Engine,
  type EngineMatrix,
  type EnginePolicy,
  type Locality,
  parseEnginePolicy,
  WIDEST_MATRIX,
} from './engine-policy.js'
export { parseResidencyPolicy, type Region, type ResidencyPolicy } from './residency-policy.js'
