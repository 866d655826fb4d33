import {
  type AdmittedContract,
  admitContract,
  describeRefused,
  type GuardianPolicy,
  parseGuardianPolicy,
} from '@parley/guardian'
import { type Bundle, contractHash, hash, type Receipt } from '@parley/protocol'
import { derived, failed, type Finding, passed, same, stated, type Statement } from '../finding.js'
import { artefactRegistry, artefactStatements } from './bundle-artefacts.js'
import { contractTerms, relayKeyStatements } from './contract-terms.js'
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
    ...relayKeyStatements(bundle.contract, relay.receiptKey),
  ])
  const policy = readPolicy(bundle)
  if ('result' in policy) return { findings: [hashes, policy], admitted: null }
  return admit(bundle, policy, [hashes, passed('guardian_policy')])
}

const contentHashes = ({ contract, receipt, artefacts }: Bundle): readonly Statement[] => [
  same(contractHash(contract), receipt.contract_hash, 'contract_mismatch', 'contract_hash'),
  ...contractTerms(contract, artefacts, receipt),
  ...receipt.participants.map(({ participant_id }, seat) =>
    same(contract.participants[seat] ?? null, participant_id, 'participants_mismatch', 'participants'),
  ),
]

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
  return named.result === 'passed'
    ? derived('guardian_policy', () => parseGuardianPolicy(guardian_policy))
    : named
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
