import { type AdmittedContract, admitContract, OutputShapeCache, parseGuardianPolicy } from '@parley/guardian'
import { type Contract, contractHash, ProtocolError, toHex } from '@parley/protocol'
import { type ReleaseBytes, releaseBytes } from '../release/release-bytes.js'
import { refuse, type Refused } from './refuse.js'
import type { SessionDeps } from './session-deps.js'

/** A contract that was checked in full, and what follows from it alone. */
export type Agreement = {
  readonly contract: Contract
  readonly contractHash: string
  readonly admitted: AdmittedContract
  readonly bytes: ReleaseBytes
}

/** Turns contracts into agreements, before any input is accepted. */
export type Admit = (contract: Contract) => Agreement | Refused

const REMEMBERED_SHAPES = 256

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
    return sized(deps, contract, admission.admitted)
  }
}

const sized = (deps: SessionDeps, contract: Contract, admitted: AdmittedContract): Agreement | Refused => {
  const agreement = { contract, contractHash: contractHash(contract), admitted }
  try {
    return { ...agreement, bytes: releaseBytes(deps, agreement) }
  } catch (error) {
    // A result that fits no size class could never be answered.
    if (error instanceof ProtocolError && error.code === 'too_large') return refuse('too_large')
    throw error
  }
}
