import { type Artefacts, hash, NO_ARTEFACTS } from '@parley/protocol'
import type { Agreement } from './agreement.js'
import { contractOf } from './contract-of.js'

/** What the contract of an agreement names by hash alone. */
export function artefactsOf(agreement: Pick<Agreement, 'contractBytes' | 'admitted'>): Artefacts {
  const { output_schema, output_schema_hash, model } = agreement.admitted
  const isStub = hash(contractOf(agreement).output_schema) !== output_schema_hash
  return {
    output_schema: isStub ? output_schema : NO_ARTEFACTS.output_schema,
    prompt_program: model?.promptProgram ?? NO_ARTEFACTS.prompt_program,
    model_profile: model?.profile ?? NO_ARTEFACTS.model_profile,
  }
}
