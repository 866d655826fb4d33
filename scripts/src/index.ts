export { examplePolicy } from './example-policy.js'
export * from './processor/index.js'
