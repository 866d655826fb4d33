import {
  canonicalBytes,
  type Contract,
  contractHash,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseContract,
  ProtocolError,
} from '@parley/protocol'
import { type Refusal, refuse } from './answer.js'

/** A contract of two, in the form that is hashed. */
export type ReadContract = {
  readonly contract: Contract
  readonly contractHash: string
  readonly participants: readonly [string, string]
  /** Octets of its canonical form. */
  readonly contractBytes: number
}

// AgentVault's relay reads an absent member as null and a null member as absent; what it hashes has the first
// written out and the second left out.
const NULL_IF_ABSENT = [
  'prompt_template_hash',
  'entropy_budget_bits',
  'timing_class',
  'metadata',
  'model_profile_id',
] as const
const ABSENT_IF_NULL = [
  'model_profile_hash',
  'enforcement_policy_hash',
  'output_schema_hash',
  'model_constraints',
  'max_completion_tokens',
  'session_ttl_secs',
  'invite_ttl_secs',
  'entropy_enforcement',
  'relay_verifying_key_hex',
] as const

/**
 * Reads a contract as AgentVault's clients send it. Their builder leaves the hash of the rest in a member
 * `contract_hash`: it is checked and not part of the contract.
 * @param most octets of its canonical form
 */
export function readContract(value: JsonValue, most: number): ReadContract | Refusal {
  if (!isJsonObject(value)) return refuse('contract_refused', 'contract: not an object')
  const { contract_hash: named, ...members } = value
  try {
    const contract = parseContract(hashed(members))
    const contractBytes = canonicalBytes(contract).length
    if (contractBytes > most) return refuse('contract_refused', `contract: over ${most} octets`)
    const [first, second, third] = contract.participants
    if (first === undefined || second === undefined || third !== undefined)
      return refuse('contract_refused', 'contract must have exactly 2 participants')
    const found = contractHash(contract)
    if (named !== undefined && named !== found)
      return refuse('contract_refused', `contract_hash does not match: the contract hashes to ${found}`)
    return { contract, contractHash: found, participants: [first, second], contractBytes }
  } catch (error) {
    if (error instanceof ProtocolError) return refuse('contract_refused', error.message)
    throw error
  }
}

function hashed(members: JsonObject): JsonObject {
  const isIdle = (name: string, value: JsonValue): boolean =>
    value === null && ABSENT_IF_NULL.some((idle) => idle === name)
  return {
    ...Object.fromEntries(NULL_IF_ABSENT.map((name) => [name, null])),
    ...Object.fromEntries(Object.entries(members).filter(([name, value]) => !isIdle(name, value))),
  }
}
