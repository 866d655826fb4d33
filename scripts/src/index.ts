export { examplePolicy } from './example-policy.js'
export * from './processor/index.js'
export * from './tpm/index.js'
