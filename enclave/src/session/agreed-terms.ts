import type { Artefacts, Contract } from '@parley/protocol'
import { putLast } from '../put-last.js'
import type { Agreement } from './agreement.js'
import { artefactsOf } from './artefacts-of.js'
import { contractOf } from './contract-of.js'

/** An agreement's contract, and what it names by hash alone. */
export type AgreedTerms = { readonly contract: Contract; readonly artefacts: Artefacts }

type Remembered = { readonly agreement: AgreementOfTerms; readonly terms: AgreedTerms }
type AgreementOfTerms = Pick<Agreement, 'contractHash' | 'contractBytes' | 'admitted'>

/** Agreements keep their contract as bytes, since its graph is many times as large: only these few stand as both. */
const MOST_REMEMBERED = 4
const remembered = new Map<string, Remembered>()

/** The terms of an agreement; of the last few, those that were read before. */
export function agreedTerms(agreement: AgreementOfTerms): AgreedTerms {
  const known = remembered.get(agreement.contractHash)
  if (
    known?.agreement.contractBytes === agreement.contractBytes &&
    known.agreement.admitted === agreement.admitted
  )
    return known.terms
  const contract = contractOf(agreement)
  const terms = { contract, artefacts: artefactsOf(contract, agreement.admitted) }
  putLast(remembered, agreement.contractHash, { agreement, terms }, MOST_REMEMBERED)
  return terms
}
