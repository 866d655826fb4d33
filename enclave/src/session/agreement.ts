import { type AdmittedContract, admitContract, OutputShapeCache, parseGuardianPolicy } from '@parley/guardian'
import { canonicalBytes, type Contract, contractHash, ProtocolError, toHex } from '@parley/protocol'
import { type ReleaseBytes, releaseBytes } from '../release/release-bytes.js'
import { refuse, type Refused } from './refuse.js'
import type { SessionDeps } from './session-deps.js'

/** A contract that was checked in full, and what follows from it alone. */
export type Agreement = {
  /** Canonical: a graph of small objects is many times as large, and a session may live for a day. */
  readonly contractBytes: Uint8Array
  readonly contractHash: string
  readonly participants: Contract['participants']
  readonly admitted: Omit<AdmittedContract, 'contract'>
  readonly bytes: ReleaseBytes
}

/** Turns contracts into agreements, before any input is accepted. */
export type Admit = (contract: Contract) => Agreement | Refused

const REMEMBERED_SHAPES = 64

/** @throws ProtocolError object_malformed if a policy of the bundle is not one */
export function createAdmission(deps: SessionDeps): Admit {
  const { guardianPolicies, defaultGuardianPolicy } = deps.bundle
  const policies = new Map([...guardianPolicies].map(([hash, policy]) => [hash, parseGuardianPolicy(policy)]))
  const shapes = new OutputShapeCache(REMEMBERED_SHAPES)
  const receiptKeyHex = toHex(deps.keys.receiptKey.publicKey)
  return (contract) => {
    if ((contract.relay_verifying_key_hex ?? receiptKeyHex) !== receiptKeyHex)
      return refuse('contract_refused', 'relay_key_mismatch /relay_verifying_key_hex')
    const policy = policies.get(contract.enforcement_policy_hash ?? defaultGuardianPolicy)
    if (policy === undefined) return refuse('contract_refused', 'policy_unknown /enforcement_policy_hash')
    const admission = admitContract({ contract, policy, shapes })
    if (!admission.ok) return refuse('contract_refused', `${admission.code} ${admission.pointer}`)
    const agreement = sized(deps, contract, admission.admitted)
    if (!('refused' in agreement)) shapes.keep(admission.admitted)
    return agreement
  }
}

const sized = (
  deps: SessionDeps,
  contract: Contract,
  { contract: _, ...admitted }: AdmittedContract,
): Agreement | Refused => {
  const { participants } = contract
  const contractBytes = canonicalBytes(contract)
  const agreement = { contractBytes, contractHash: contractHash(contract), participants, admitted }
  try {
    return { ...agreement, bytes: releaseBytes(deps, agreement) }
  } catch (error) {
    // A result that fits no size class could never be answered.
    if (error instanceof ProtocolError && error.code === 'too_large') return refuse('too_large')
    throw error
  }
}
