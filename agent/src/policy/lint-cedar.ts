import { isBundlePath } from '@parley/guardian'
import { loadCedarPolicy } from '@parley/guardian/cedar'
import { type FileFinding, findingOf } from './finding.js'

/** True for a file of the Cedar set. */
export const isCedarPath = (path: string): boolean => path.startsWith('cedar/') && isBundlePath(path)

/** Checks the Cedar files as one set, against their schema. What is wrong names the file, or the rule by its id. */
export const lintCedar = (files: ReadonlyMap<string, Uint8Array>, hash: string): readonly FileFinding[] =>
  [...files.keys()].some(isCedarPath) ? [findingOf('cedar/', () => loadCedarPolicy(files, hash))] : []
