import {
  type AdmittedContract,
  admitContract,
  describeRefused,
  type GuardianPolicy,
  parseGuardianPolicy,
} from '@parley/guardian'
import {
  type Bundle,
  type Contract,
  contractHash,
  evaluatorOf,
  fromBase64url,
  hash,
  type Receipt,
  toHex,
} from '@parley/protocol'
import { failed, type Finding, passed, refusalOf, same, stated, type Statement } from '../finding.js'
import { artefactRegistry, artefactStatements, outputSchemaOf } from './bundle-artefacts.js'
import { modelStatements } from './model-statements.js'
import type { ReadBundle } from './read-bundle.js'

/** What a contract came to; `admitted` where a relay may run it. */
export type ContractCheck = {
  readonly findings: readonly Finding[]
  readonly admitted: AdmittedContract | null
}

/** Step 4 of SPEC §16: hashes of contract, schema, program and policy; the capacity recounted. */
export const checkContract = ({ bundle, relay }: ReadBundle): ContractCheck => {
  const hashes = stated('contract', [
    ...contentHashes(bundle),
    ...artefactStatements(bundle.contract, bundle.artefacts),
    ...modelStatements(bundle.receipt, bundle.artefacts),
    ...receiptKey(bundle.contract, relay.keyset.receipt_key),
  ])
  const policy = readPolicy(bundle)
  if ('result' in policy) return { findings: [hashes, policy], admitted: null }
  return admit(bundle, policy, [hashes, passed('guardian_policy')])
}

const contentHashes = ({ contract, receipt, artefacts }: Bundle): readonly Statement[] => [
  same(contractHash(contract), receipt.contract_hash, 'contract_mismatch', 'contract_hash'),
  same(
    hash(outputSchemaOf(contract, artefacts)),
    receipt.output_schema_hash,
    'schema_mismatch',
    'output_schema_hash',
  ),
  same(evaluatorOf(contract), receipt.evaluator, 'contract_mismatch', 'evaluator'),
  same(
    contract.program === undefined ? null : hash(contract.program),
    receipt.program_hash,
    'program_mismatch',
    'program_hash',
  ),
  same(contract.prompt_template_hash, receipt.prompt_program_hash, 'program_mismatch', 'prompt_program_hash'),
  same(
    contract.model_profile_hash ?? null,
    receipt.model_profile_hash,
    'contract_mismatch',
    'model_profile_hash',
  ),
  ...receipt.participants.map(({ participant_id }, seat) =>
    same(contract.participants[seat] ?? null, participant_id, 'participants_mismatch', 'participants'),
  ),
]

const receiptKey = ({ relay_verifying_key_hex: named }: Contract, key: string): readonly Statement[] =>
  named === undefined
    ? []
    : [same(named, toHex(fromBase64url(key)), 'keyset_mismatch', 'relay_verifying_key_hex')]

const readPolicy = ({ guardian_policy, contract, receipt }: Bundle): GuardianPolicy | Finding => {
  const policyHash = hash(guardian_policy)
  const named = stated('guardian_policy', [
    same(policyHash, receipt.guardian_policy_hash, 'policy_mismatch', 'guardian_policy_hash'),
    same(
      policyHash,
      contract.enforcement_policy_hash ?? policyHash,
      'policy_mismatch',
      'enforcement_policy_hash',
    ),
  ])
  if (named.result !== 'passed') return named
  try {
    return parseGuardianPolicy(guardian_policy)
  } catch (error) {
    const { code, message } = refusalOf(error)
    return failed('guardian_policy', code, message)
  }
}

const EVALUATORS = ['cel', 'llm', 'local'] as const

const admit = (
  { contract, receipt, artefacts }: Bundle,
  policy: GuardianPolicy,
  before: readonly Finding[],
): ContractCheck => {
  const registry = artefactRegistry(artefacts)
  const admission = admitContract({ contract, policy, registry, evaluators: EVALUATORS })
  if (!admission.ok) {
    const refusal = failed('contract_admitted', 'contract_refused', describeRefused(admission))
    return { findings: [...before, refusal], admitted: null }
  }
  const { admitted } = admission
  const recounted = stated('capacity', [
    same(hash(admitted.capacity), hash(receipt.capacity), 'capacity_mismatch', 'capacity'),
  ])
  return { findings: [...before, told(admitted, receipt), recounted], admitted }
}

// The codes found on the contract, no more and no fewer (SPEC §14): a warning that the relay keeps back is a lie too.
const told = ({ advisories }: AdmittedContract, receipt: Receipt): Finding =>
  stated('contract_admitted', [
    same(
      hash(advisories.map(({ code }) => code)),
      hash(receipt.advisories),
      'advisories_mismatch',
      'advisories',
    ),
  ])
