import { readFileSync } from 'node:fs'
import { type AdmittedContract, admitContract, NO_REGISTRY, parseGuardianPolicy } from '@parley/guardian'
import { type Contract, parseContract, parseJson } from '@parley/protocol'

const load = (path: string) => parseJson(readFileSync(new URL(`../../../registry/${path}`, import.meta.url)))

export const contract: Contract = parseContract(load('contracts/negotiation-band.json'))
export const policy = parseGuardianPolicy(
  load('policies/sha256-3e4d4e61bf771575ec2029004b8168b11ec6ac18a41a142b12a815f5a554bc72.json'),
)

/** The shipped contract, admitted as a relay admits it. */
export const admitted: AdmittedContract = (() => {
  const admission = admitContract({ contract, policy, registry: NO_REGISTRY, evaluators: ['cel'] })
  if (!admission.ok) throw new Error(admission.code)
  return admission.admitted
})()

export const BUYER = { ceiling: 1_200_000, currency: 'EUR' }
export const SELLER = { floor: 1_000_000, currency: 'EUR' }
