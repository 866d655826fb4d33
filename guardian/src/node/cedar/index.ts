export { type CedarPolicy, loadCedarPolicy } from './load-cedar-policy.js'
