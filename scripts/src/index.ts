export * from './processor/index.js'
