import { readFileSync } from 'node:fs'
import { type AdmittedContract, admitContract, parseGuardianPolicy } from '@parley/guardian'
import { type Contract, parseContract, parseJson } from '@parley/protocol'

const load = (path: string) => parseJson(readFileSync(new URL(`../../../registry/${path}`, import.meta.url)))

export const contract: Contract = parseContract(load('contracts/negotiation-band.json'))
export const policy = parseGuardianPolicy(load('policies/bounded-signal.json'))

/** The shipped contract, admitted as a relay admits it. */
export const admitted: AdmittedContract = (() => {
  const admission = admitContract({ contract, policy })
  if (!admission.ok) throw new Error(admission.code)
  return admission.admitted
})()

export const BUYER = { ceiling: 1_200_000, currency: 'EUR' }
export const SELLER = { floor: 1_000_000, currency: 'EUR' }
