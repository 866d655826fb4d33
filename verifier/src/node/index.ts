export { asciiJson, printable, printableLines } from '../printable.js'
export { readPolicyFile } from './read-policy.js'
export { readRootFile } from './read-root.js'
export { type Io, run } from './run.js'
