import { readdirSync, readFileSync } from 'node:fs'
import { type Contract, type JsonObject, type JsonValue, parseJson } from '@parley/protocol'
import {
  admitContract,
  type AdmittedContract,
  buildContract,
  type ContractOffer,
  evaluateProgram,
  guardDraft,
  loadRegistry,
  parseContractOffer,
  parseGuardianPolicy,
  registryFiles,
} from '../../src/index.js'

const place = (path: string) => new URL(`../../../registry/${path}`, import.meta.url)
export const readBytes = (path: string): Uint8Array => new Uint8Array(readFileSync(place(path)))

export const readShipped = (path: string): JsonValue => parseJson(readBytes(path))

/** The files of the shipped registry. */
export const shippedFiles = (): Map<string, Uint8Array> =>
  new Map(registryFiles({ names: (folder) => readdirSync(place(folder)), read: readBytes }))

export const shipped = loadRegistry(shippedFiles())

/** The short names of the shipped contract offers. */
export const names = readdirSync(place('examples')).sort()

/** A shipped offer by its short name. */
export const offerOf = (name: string): ContractOffer =>
  parseContractOffer(artefact('contract_offer', `${name}@latest`))

const artefact = (kind: 'contract_offer' | 'policy', reference: string): JsonObject => {
  const found = shipped.artefact(kind, shipped.resolve(kind, reference) ?? '')
  if (found === undefined) throw new Error(`no ${kind} ${reference}`)
  return found
}

/** The contract of a shipped offer, with its roles as participants. */
export const contractOf = (name: string): Contract => {
  const offer = offerOf(name)
  return buildContract({ registry: shipped, offer, participants: offer.roles })
}

/** A shipped contract, admitted by a relay that has the whole registry and every evaluator. */
export const admittedOf = (name: string): AdmittedContract => {
  const contract = contractOf(name)
  const policy = parseGuardianPolicy(artefact('policy', contract.enforcement_policy_hash ?? ''))
  const evaluators = ['cel', 'llm', 'local'] as const
  const admission = admitContract({ contract, policy, registry: shipped, evaluators })
  if (!admission.ok) throw new Error(`${name}: ${admission.code} at ${admission.pointer}`)
  return admission.admitted
}

/** What a shipped CEL contract says of two inputs, past its own guardian. */
export const play = (name: string): ((initiator: JsonValue, responder: JsonValue) => JsonValue) => {
  const { program, output, policy } = admittedOf(name)
  return (initiator, responder) => {
    if (program === null) throw new Error(`${name} has no program`)
    const evaluation = evaluateProgram(program, { initiator, responder })
    if (!evaluation.ok) throw new Error(`${name}: ${evaluation.code}`)
    const inputs = [initiator, responder]
    const decision = guardDraft({ shape: output, policy, draft: evaluation.value, inputs })
    if (!decision.ok) throw new Error(`${name}: ${decision.code}`)
    return decision.output
  }
}
