import {
  type Admission,
  admitContract,
  explainCapacity,
  type GuardianPolicy,
  parseGuardianPolicy,
  type Registry,
} from '@parley/guardian'
import { type Contract, contractHash, hash, parseContract } from '@parley/protocol'
import { printable } from '@parley/verifier/node'
import { AgentError } from '../agent-error.js'
import { builtFrom } from './contract-build-command.js'
import { admissionLines } from './contract-check-text.js'
import { isContractFolder } from './contract-folder.js'
import { openRegistry, type RegistryOption, resolveName } from './contract-registry.js'
import { type Io, printJson } from './io.js'
import { readJsonFile } from './read-input.js'

/** The options of `parley contract check`. */
export type CheckOptions = RegistryOption & { readonly guardian?: string; readonly json?: true }

/** Where a contract names no policy, the one of the shipped profiles is taken; a relay may have another. */
const USUAL_POLICY = 'bounded-signal'
const REFUSED = 4

/** `parley contract check`: what a relay would say to a contract, and what it can tell, computed here and offline. */
export const runCheck = async (path: string, options: CheckOptions, io: Io): Promise<number> => {
  const registry = openRegistry(options, io)
  const contract = await contractIn(path, options, { registry, io })
  const policy = await policyFor(contract, options, registry)
  const admission = admitContract({ contract, policy, registry, evaluators: ['cel', 'llm', 'local'] })
  if (options.json === true) printJson(io, summary(contract, policy, admission))
  else
    for (const line of [`contract   ${contractHash(contract)}`, ...admissionLines(policy, admission)])
      io.out(`${printable(line)}\n`)
  return admission.ok ? 0 : REFUSED
}

// A file of an offer's name can be given as ./NAME.
const contractIn = async (
  path: string,
  options: CheckOptions,
  { registry, io }: { readonly registry: Registry; readonly io: Io },
): Promise<Contract> =>
  (await isContractFolder(path)) || resolveName(registry, 'contract_offer', path) !== undefined
    ? builtFrom(path, options, io)
    : parseContract(await readJsonFile(path))

const policyFor = async (
  { enforcement_policy_hash: named }: Contract,
  { guardian }: CheckOptions,
  registry: Registry,
): Promise<GuardianPolicy> => {
  if (guardian !== undefined) return parseGuardianPolicy(await readJsonFile(guardian))
  const content = named ?? resolveName(registry, 'policy', USUAL_POLICY) ?? ''
  const policy = registry.artefact('policy', content)
  if (policy !== undefined) return parseGuardianPolicy(policy)
  throw new AgentError(
    'argument_invalid',
    `the registry has no policy ${content}; name its file by --guardian`,
  )
}

const summary = (contract: Contract, policy: GuardianPolicy, admission: Admission): object => ({
  contract_hash: contractHash(contract),
  guardian_policy_hash: hash(policy),
  admitted: admission.ok,
  ...(admission.ok
    ? {
        evaluator: admission.admitted.evaluator,
        output_schema_hash: admission.admitted.output_schema_hash,
        program_hash: admission.admitted.program_hash,
        entropy_budget_bits: contract.entropy_budget_bits,
        capacity: admission.admitted.capacity,
        fields: explainCapacity(admission.admitted.output),
        advisories: admission.admitted.advisories,
      }
    : { code: admission.code, pointer: admission.pointer, detail: admission.detail ?? null }),
})
