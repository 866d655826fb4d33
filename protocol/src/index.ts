export * from './errors.js'
export * from './json-value.js'
