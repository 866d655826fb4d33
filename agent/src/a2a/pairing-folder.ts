import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isOriginId } from '@parley/guardian'
import { canonicalize, type JsonObject, type JsonValue, parseJson, ProtocolError } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { createPrivateFile, isCode, readPrivateFile, replacePrivateFile } from '../private-file.js'

const ENDING = '.json'

/** The file of an id. @throws AgentError `argument_invalid` on an id that could name another place */
export const pairingPath = (folder: string, id: string): string => {
  if (!isOriginId(id))
    throw new AgentError('argument_invalid', 'an id is a file name without a dot at its start')
  return join(folder, `${id}${ENDING}`)
}

/** The ids that a folder has files of, sorted; none where there is no folder. */
export const pairingIds = (folder: string): readonly string[] => {
  try {
    const names = readdirSync(folder)
    const ids = names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length))
    return ids.filter(isOriginId).sort()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw new AgentError('file_unusable', `${folder} can't be read`)
  }
}

/** What the file of an id holds, read anew at every call. @throws AgentError as {@link readPrivateJson} */
export const readPairingFile = (folder: string, id: string): JsonValue =>
  readPrivateJson(pairingPath(folder, id))

/**
 * What a private file holds.
 * @throws AgentError `state_missing`, `file_not_private`, `file_unusable`, `state_malformed`
 */
export const readPrivateJson = (path: string): JsonValue => {
  const bytes = readPrivateFile(path)
  try {
    return parseJson(bytes)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AgentError('state_malformed', `${path} does not hold JSON: ${error.code}`)
  }
}

/**
 * Writes the file of an id, for its owner's eyes alone.
 * @param mayReplace whether one that is there goes
 * @throws AgentError `state_exists`, `file_unusable`
 */
export const writePairingFile = (
  folder: string,
  id: string,
  content: JsonObject,
  mayReplace: boolean,
): Promise<void> => {
  const put = mayReplace ? replacePrivateFile : createPrivateFile
  return put(pairingPath(folder, id), `${canonicalize(content)}\n`)
}
