import { parseJson, parseProviderKeys, type ProviderKeys, ProtocolError } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { readPrivateFile } from '../private-file.js'

/**
 * Reads the secrets of a relay: a JSON object of keys by the provider names of its policy bundle, in a file that only its
 * owner may read.
 * @throws AgentError `state_missing`, `file_not_private`, `file_unusable`; `argument_invalid`, which quotes nothing
 */
export const readProviderKeys = (path: string): ProviderKeys => {
  const bytes = readPrivateFile(path)
  try {
    return parseProviderKeys(parseJson(bytes))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AgentError('argument_invalid', `${path} does not hold keys by provider name`)
  }
}
