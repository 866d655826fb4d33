import { NO_REGISTRY, type Registry } from '@parley/guardian'
import { type Artefacts, type Contract, evaluatorOf, hash, type JsonObject } from '@parley/protocol'
import { same, type Statement } from '../finding.js'

/** The output schema that a contract means: its own, or the one beside it where it holds a stub. */
export const outputSchemaOf = ({ output_schema }: Contract, artefacts: Artefacts): JsonObject =>
  artefacts.output_schema ?? output_schema

/** What came with a contract is what it names by hash, no more and no less. */
export const artefactStatements = (contract: Contract, artefacts: Artefacts): readonly Statement[] => {
  const { output_schema, output_schema_hash: named, prompt_template_hash, model_profile_hash } = contract
  const isStub = named !== undefined && named !== hash(output_schema)
  const byModel = evaluatorOf(contract) !== 'cel'
  return [
    isNamed(artefacts.output_schema, isStub ? named : null, 'schema_mismatch', 'output_schema'),
    isNamed(
      artefacts.prompt_program,
      byModel ? prompt_template_hash : null,
      'program_mismatch',
      'prompt_program',
    ),
    isNamed(
      artefacts.model_profile,
      byModel ? (model_profile_hash ?? null) : null,
      'contract_mismatch',
      'model_profile',
    ),
  ]
}

const isNamed = (
  artefact: JsonObject | null,
  expected: string | null,
  code: Statement['code'],
  what: string,
): Statement => same(artefact === null ? null : hash(artefact), expected, code, `artefacts.${what}`)

/** A registry of what came with a contract. Whoever looks something up there hashes it once more. */
export const artefactRegistry = (artefacts: Artefacts): Registry => {
  const all = {
    schema: artefacts.output_schema,
    program: artefacts.prompt_program,
    profile: artefacts.model_profile,
  }
  return {
    ...NO_REGISTRY,
    artefact: (kind, named) => {
      const found = kind === 'schema' || kind === 'program' || kind === 'profile' ? all[kind] : null
      return found !== null && hash(found) === named ? found : undefined
    },
  }
}
