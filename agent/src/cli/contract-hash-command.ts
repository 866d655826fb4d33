import { contractHash, hash, parseContract } from '@parley/protocol'
import { type Io, printJson } from './io.js'
import { readJsonFile } from './read-input.js'

/** The options of `parley contract hash`. */
export type HashOptions = { readonly artefact?: true; readonly json?: true }

/** `parley contract hash`: the content address of a contract, or of any artefact of a registry. */
export const runHash = async (path: string, { artefact, json }: HashOptions, io: Io): Promise<number> => {
  const value = await readJsonFile(path)
  // A contract is read first: a member that a relay would refuse has no part in any contract's hash.
  const content = artefact === true ? hash(value) : contractHash(parseContract(value))
  if (json === true) printJson(io, { hash: content })
  else io.out(`${content}\n`)
  return 0
}
