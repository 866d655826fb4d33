import { type Contract, parseCanonicalJson, parseContract } from '@parley/protocol'
import type { Agreement } from './agreement.js'

/** The contract of an agreement, read anew. */
export function contractOf({ contractBytes }: Pick<Agreement, 'contractBytes'>): Contract {
  return parseContract(parseCanonicalJson(contractBytes))
}
