import type { ForeignReceipt } from './foreign-receipt.js'

/** What of a session a receipt may name by its hash. */
export type ArtefactName = 'contract' | 'schema' | 'program' | 'policy' | 'profile'

/** Every hash by which a receipt names each artefact: one that is named twice must be the same both times. */
export type NamedHashes = Readonly<Record<ArtefactName, readonly string[]>>

/** The hashes that a receipt names. */
export const namedHashes = (read: ForeignReceipt): NamedHashes =>
  read.form === '1.0.0' ? ofFirst(read.receipt) : ofSecond(read.receipt)

type Of<Form> = Extract<ForeignReceipt, { readonly form: Form }>['receipt']

const ofFirst = (receipt: Of<'1.0.0'>): NamedHashes => ({
  contract: named(receipt.contract_hash),
  schema: named(receipt.output_schema_hash),
  program: named(receipt.prompt_template_hash),
  policy: named(receipt.guardian_policy_hash),
  profile: named(receipt.model_profile_hash),
})

const ofSecond = ({ commitments, claims }: Of<'2.1.0'>): NamedHashes => {
  const { preflight_bundle: preflight } = commitments
  return {
    contract: named(commitments.contract_hash),
    schema: named(commitments.schema_hash, preflight?.schema_hash),
    program: named(commitments.prompt_template_hash, preflight?.prompt_template_hash),
    policy: named(preflight?.policy_hash),
    profile: named(claims.model_profile_hash_asserted, preflight?.model_profile_hash),
  }
}

const named = (...hashes: readonly (string | undefined)[]): readonly string[] =>
  hashes.flatMap((each) => (each === undefined || each === 'none' ? [] : [each]))
