import { agentVaultContractHash, type Ed25519PublicKey, hash, type JsonObject } from '@parley/protocol'
import type { MismatchCode } from '../failure-code.js'
import { failed, type Finding, notRun, stated } from '../finding.js'
import { contractStatements } from './contract-statements.js'
import type { ForeignReceipt } from './foreign-receipt.js'
import { type ArtefactName, type NamedHashes, namedHashes } from './named-hashes.js'

/** What a caller holds of a session, to be compared with what its receipt names. */
export type Artefacts = Readonly<Partial<Record<ArtefactName, JsonObject>>>

const MISMATCHES = {
  contract: 'contract_mismatch',
  schema: 'schema_mismatch',
  program: 'program_mismatch',
  policy: 'policy_mismatch',
  profile: 'profile_mismatch',
} as const satisfies Record<ArtefactName, MismatchCode>

/** Whether each artefact that the caller gave is what the receipt names; what was not given is not checked. */
export const checkArtefacts = (
  read: ForeignReceipt,
  artefacts: Artefacts,
  key: Ed25519PublicKey,
): readonly Finding[] => {
  const named = namedHashes(read)
  return [
    checkContract(read, artefacts.contract, key),
    ...(['schema', 'program', 'policy', 'profile'] as const).map((name) =>
      checkHash(name, artefacts[name], named),
    ),
  ]
}

const checkHash = (
  name: Exclude<ArtefactName, 'contract'>,
  artefact: JsonObject | undefined,
  named: NamedHashes,
): Finding => {
  const check = `agentvault_${name}` as const
  if (artefact === undefined) return notRun(check, absence(named[name]))
  return compare(check, hash(artefact), named[name], MISMATCHES[name])
}

const absence = (hashes: readonly string[]) => (hashes.length === 0 ? 'not_named' : 'artefact_not_given')

// An artefact that the caller brings is an expectation: a receipt that names none does not meet it.
const compare = (
  check: Finding['name'],
  found: string,
  hashes: readonly string[],
  code: MismatchCode,
): Finding =>
  hashes.length === 0
    ? failed(check, code, 'the receipt names none')
    : stated(
        check,
        hashes.map((each) => ({ holds: each === found, code, what: 'hash' })),
      )

const checkContract = (
  read: ForeignReceipt,
  contract: JsonObject | undefined,
  key: Ed25519PublicKey,
): Finding => {
  const { contract: hashes } = namedHashes(read)
  if (contract === undefined) return notRun('agentvault_contract', absence(hashes))
  const compared = compare(
    'agentvault_contract',
    agentVaultContractHash(contract),
    hashes,
    MISMATCHES.contract,
  )
  return compared.result === 'passed'
    ? stated('agentvault_contract', contractStatements(read, contract, key))
    : compared
}
