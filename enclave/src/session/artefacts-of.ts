import { type Artefacts, type Contract, hash, NO_ARTEFACTS } from '@parley/protocol'
import type { Agreement } from './agreement.js'

/** What an agreement's contract names by hash alone. */
export function artefactsOf(
  contract: Contract,
  { output_schema, output_schema_hash, model }: Agreement['admitted'],
): Artefacts {
  const isStub = hash(contract.output_schema) !== output_schema_hash
  return {
    output_schema: isStub ? output_schema : NO_ARTEFACTS.output_schema,
    prompt_program: model?.promptProgram ?? NO_ARTEFACTS.prompt_program,
    model_profile: model?.profile ?? NO_ARTEFACTS.model_profile,
  }
}
