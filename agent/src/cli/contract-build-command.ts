import { buildContract } from '@parley/guardian'
import type { Contract } from '@parley/protocol'
import { asciiJson } from '@parley/verifier/node'
import { openOffer } from './contract-offer.js'
import type { RegistryOption } from './contract-registry.js'
import { type Io, printJson } from './io.js'
import { writeNewFile } from './write-new-file.js'

/** The options of `parley contract build`. */
export type BuildOptions = RegistryOption & {
  readonly participants?: readonly string[]
  readonly profile?: string
  readonly allowDeprecated?: true
  readonly out?: string
}

/** `parley contract build`: a contract from an offer, its roles as participants unless others are named. */
export const runBuild = async (name: string, options: BuildOptions, io: Io): Promise<number> => {
  const contract = await builtFrom(name, options, io)
  if (options.out === undefined) printJson(io, contract)
  else await writeNewFile(options.out, () => Promise.resolve(asciiJson(contract)))
  return 0
}

/** The contract of an offer. @throws AgentError, ProtocolError */
export const builtFrom = async (name: string, options: BuildOptions, io: Io): Promise<Contract> => {
  const { offer, registry } = await openOffer(name, options, io)
  const { participants = offer.roles, profile, allowDeprecated } = options
  return buildContract({ registry, offer, participants, profile, allowDeprecated })
}
