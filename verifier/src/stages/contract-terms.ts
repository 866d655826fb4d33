import {
  type Artefacts,
  type Contract,
  type Ed25519PublicKey,
  evaluatorOf,
  hash,
  type Offer,
  toHex,
} from '@parley/protocol'
import { same, type Statement } from '../finding.js'
import { outputSchemaOf } from './bundle-artefacts.js'

type Terms = Pick<
  Offer,
  'output_schema_hash' | 'evaluator' | 'program_hash' | 'prompt_program_hash' | 'model_profile_hash'
>

/**
 * What an offer or a receipt says of how a contract is evaluated is what the contract says. Any other evaluator would
 * send the inputs to somebody whom the participants did not choose.
 */
export const contractTerms = (
  contract: Contract,
  artefacts: Artefacts,
  terms: Terms,
): readonly Statement[] => {
  const { program, prompt_template_hash, model_profile_hash = null } = contract
  const schema = hash(outputSchemaOf(contract, artefacts))
  const programHash = program === undefined ? null : hash(program)
  return [
    same(schema, terms.output_schema_hash, 'schema_mismatch', 'output_schema_hash'),
    same(evaluatorOf(contract), terms.evaluator, 'contract_mismatch', 'evaluator'),
    same(programHash, terms.program_hash, 'program_mismatch', 'program_hash'),
    same(prompt_template_hash, terms.prompt_program_hash, 'program_mismatch', 'prompt_program_hash'),
    same(model_profile_hash, terms.model_profile_hash, 'contract_mismatch', 'model_profile_hash'),
  ]
}

/** Where a contract names the key of its relay, it is this one. */
export const relayKeyStatements = (
  { relay_verifying_key_hex: named }: Contract,
  receiptKey: Ed25519PublicKey,
): readonly Statement[] =>
  named === undefined ? [] : [same(named, toHex(receiptKey), 'keyset_mismatch', 'relay_verifying_key_hex')]
