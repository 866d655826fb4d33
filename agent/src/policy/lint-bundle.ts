import {
  parseAdmissionList,
  parseEgressPolicy,
  parseEnginePolicy,
  parseResidencyPolicy,
} from '@parley/guardian'
import { loadCedarPolicy } from '@parley/guardian/cedar'
import { type JsonValue, parseJson, ProtocolError } from '@parley/protocol'
import type { BundleFolder } from './read-bundle-folder.js'

/** What a file of a bundle came to. */
export type FileFinding = {
  readonly path: string
  /** `form_only`: it is JSON, or PEM; what it says, a relay checks as it starts. */
  readonly result: 'passed' | 'form_only' | 'failed'
  readonly detail: string | null
}

const PARSERS: Readonly<Record<string, (value: JsonValue) => unknown>> = {
  'engines.json': parseEnginePolicy,
  'residency.json': parseResidencyPolicy,
  'egress.json': parseEgressPolicy,
  'registry-admission.json': parseAdmissionList,
}
const OTHERS = /^(?:limits|providers|profiles\/[a-z0-9-]{1,64}|providers\/[a-z0-9-]{1,64})\.json$/
const PEM = /^providers\/[a-z0-9-]{1,64}\.pem$/
const CEDAR = /^cedar\/(?:schema\.cedarschema|[a-z0-9-]{1,64}\.cedar)$/

/** Checks every file of a bundle; the Cedar files as the one set that they are. */
export const lintBundle = ({ files, hash }: BundleFolder): readonly FileFinding[] => {
  const own = [...files].filter(([path]) => !CEDAR.test(path)).map(([path, bytes]) => lintFile(path, bytes))
  const cedar = [...files.keys()].some((path) => CEDAR.test(path))
    ? [found('cedar/', 'passed', () => loadCedarPolicy(files, hash))]
    : []
  return [...own, ...cedar].sort((one, other) => (one.path < other.path ? -1 : 1))
}

const lintFile = (path: string, bytes: Uint8Array): FileFinding => {
  const parse = Object.hasOwn(PARSERS, path) ? PARSERS[path] : undefined
  if (parse !== undefined) return found(path, 'passed', () => parse(parseJson(bytes)))
  if (OTHERS.test(path)) return found(path, 'form_only', () => parseJson(bytes))
  if (PEM.test(path)) return { path, result: 'form_only', detail: null }
  // A file that nothing reads would be hashed as if it governed something.
  return { path, result: 'failed', detail: 'has no place in a bundle' }
}

const found = (path: string, result: 'passed' | 'form_only', run: () => unknown): FileFinding => {
  try {
    run()
    return { path, result, detail: null }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { path, result: 'failed', detail: error.message }
  }
}
