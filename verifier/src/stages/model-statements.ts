import { type Artefacts, isJsonObject, type JsonValue, type Offer, type Receipt } from '@parley/protocol'
import { same, type Statement } from '../finding.js'

type Terms = Pick<Offer, 'evaluator' | 'provider_account' | 'egress_channel'>

/**
 * What the terms say of where inputs go: a program and a local model ask nobody, and nothing bounds what a provider does
 * with what it reads.
 */
export const egressStatements = ({
  evaluator,
  provider_account: account,
  egress_channel: channel,
}: Terms): readonly Statement[] => [
  same(channel, evaluator === 'llm' ? 'unbounded' : 'none', 'contract_mismatch', 'egress_channel'),
  same(account !== null, evaluator === 'llm', 'contract_mismatch', 'provider_account'),
]

/** What a receipt says of a model: the profile's, and nothing where a program evaluated. */
export const modelStatements = (receipt: Receipt, artefacts: Artefacts): readonly Statement[] => [
  ...egressStatements(receipt),
  same(receipt.model_asserted, modelIdOf(artefacts.model_profile), 'contract_mismatch', 'model_asserted'),
  {
    holds: receipt.model_returned === null || receipt.evaluator === 'llm',
    code: 'contract_mismatch',
    what: 'model_returned',
  },
]

const modelIdOf = (profile: JsonValue): string | null => {
  const id = isJsonObject(profile) ? profile['model_id'] : null
  return typeof id === 'string' ? id : null
}
