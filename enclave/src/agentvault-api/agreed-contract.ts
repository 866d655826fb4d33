import type { AdmittedContract } from '@parley/guardian'
import type { ModelProvider } from '../model/model-provider.js'
import type { ReadContract } from './read-contract.js'

/** A contract that this relay can carry out, and with what. */
export type AgreedContract = Pick<ReadContract, 'contractHash' | 'participants' | 'contractBytes'> & {
  readonly admitted: AdmittedContract
  /** Null with evaluator `cel`. */
  readonly provider: ModelProvider | null
  /** What the relay says of it: a provider's name, or `cel`. */
  readonly providerName: string
  readonly sessionTtlSecs: number
  readonly inviteTtlSecs: number
  /** What a model may say at most; 0 with evaluator `cel`. */
  readonly maxCompletionTokens: number
}
