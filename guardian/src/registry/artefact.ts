/** What a registry holds, by AgentVault's names: `program` is a CEL program or a prompt program. */
export const ARTEFACT_KINDS = ['schema', 'policy', 'profile', 'program', 'contract_offer'] as const

/** A kind of artefact. */
export type ArtefactKind = (typeof ARTEFACT_KINDS)[number]

/** The folder of each kind, as in AgentVault's registry. */
export const ARTEFACT_FOLDERS = {
  schema: 'schemas',
  policy: 'policies',
  profile: 'profiles',
  program: 'programs',
  contract_offer: 'contract_offers',
} as const

/** What an index says of an artefact. */
export type Artefact = {
  readonly id: string
  readonly version: string
  readonly description: string
  readonly status: 'active' | 'experimental' | 'deprecated'
  /** A day, YYYY-MM-DD. */
  readonly published_at: string
  /** SAFE: codes and bounded numbers only. RICH: text. A RICH schema does not go with a SAFE policy. */
  readonly compatibility: { readonly safety_class: 'SAFE' | 'RICH' }
  /** Lower-case hex SHA-256 of its canonical JSON. */
  readonly hash: string
}
