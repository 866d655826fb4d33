import { AttestationError } from '@parley/attestation'
import { type JsonValue, parseJson, ProtocolError } from '@parley/protocol'

/** What a file of a bundle came to. */
export type FileFinding = {
  readonly path: string
  readonly result: 'passed' | 'failed'
  /** What is wrong, with the JSON pointers of members that are. */
  readonly detail: string | null
}

/** What a check of a file comes to: what it throws is the fault. */
export const findingOf = (path: string, check: () => unknown): FileFinding => {
  try {
    check()
    return { path, result: 'passed', detail: null }
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof AttestationError)) throw error
    return { path, result: 'failed', detail: error.message }
  }
}

/** The parsed object of a bundle's file, where it has one and that can be read: what else is wrong is told of the file. */
export const parsedIn = <T>(
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
  parse: (value: JsonValue) => T,
): T | undefined => {
  const bytes = files.get(path)
  if (bytes === undefined) return undefined
  try {
    return parse(parseJson(bytes))
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}
