import { parseContractOffer } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import { isContractFolder, type OpenedOffer, readContractFolder } from './contract-folder.js'
import { openRegistry, type RegistryOption, resolveName } from './contract-registry.js'
import type { Io } from './io.js'

/**
 * The offer that the user named: a folder in which a contract is written, or an offer of the registry.
 * @throws AgentError `argument_invalid`; ProtocolError
 */
export const openOffer = async (name: string, options: RegistryOption, io: Io): Promise<OpenedOffer> => {
  const registry = openRegistry(options, io)
  if (await isContractFolder(name)) return readContractFolder(name, registry)
  const offer = registry.artefact('contract_offer', resolveName(registry, 'contract_offer', name) ?? '')
  if (offer === undefined)
    throw new AgentError('argument_invalid', `${name} is no contract folder, and no offer of the registry`)
  return { offer: parseContractOffer(offer), registry }
}
