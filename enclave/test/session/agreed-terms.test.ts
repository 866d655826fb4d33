import { contractHash, NO_ARTEFACTS } from '@parley/protocol'
import { expect, test } from 'vitest'
import { agreedTerms } from '../../src/session/agreed-terms.js'
import { type Agreement, createAdmission } from '../../src/session/agreement.js'
import { CONTRACT, testRelay } from './test-relay.js'

const { deps } = testRelay()
const admit = (): Agreement => {
  const agreement = createAdmission(deps)(CONTRACT)
  if ('refused' in agreement) throw new Error(agreement.refused)
  return agreement
}

test('the terms of an agreement are the contract that was admitted, and what it names', () => {
  const { contract, artefacts } = agreedTerms(admit())
  expect(contract).toEqual(CONTRACT)
  expect(artefacts).toEqual(NO_ARTEFACTS)
})

test('they are read once for an agreement, and anew for the same contract under another', () => {
  const agreement = admit()
  expect(agreedTerms(agreement)).toBe(agreedTerms(agreement))
  const another = admit()
  expect(agreedTerms(another)).not.toBe(agreedTerms(agreement))
  expect(agreedTerms(another)).toEqual(agreedTerms(agreement))
})

test('another contract under the hash of one that is remembered is not taken for it', () => {
  const agreement = admit()
  agreedTerms(agreement)
  const { contractBytes } = admit()
  const purpose = new TextDecoder().decode(contractBytes).replace(CONTRACT.purpose_code, 'MEDIATION')
  const changed = { ...agreement, contractBytes: new TextEncoder().encode(purpose) }
  expect(contractHash(agreedTerms(changed).contract)).not.toBe(agreement.contractHash)
})
