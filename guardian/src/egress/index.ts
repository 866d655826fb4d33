export { checkEgress, type EgressDecision, type EgressRule } from './check-egress.js'
export { type EgressPolicy, parseEgressPolicy } from './egress-policy.js'
