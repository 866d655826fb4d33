import type { PolicyEntity } from './entity.js'

/** Who asks, as the host resolved it from a verified signature. */
export type Identity = {
  /** The identifier of the human or organisation that answers for the principal. */
  readonly owner: string
  readonly tenant: string
  readonly session: string
  /** Which credentials the host may use on the principal's behalf. */
  readonly credential_context: string
  readonly principal: PolicyEntity
  /** Those on whose authority the principal acts, from the root down; empty where it acts on its own. */
  readonly delegation: readonly PolicyEntity[]
}

/**
 * Resolves the signer behind a run, anew at every decision, since authority may end while somebody waits. Undefined
 * where nobody is proven: a name in a header, prompt, argument or reply proves nobody.
 */
export type Identify = () => Identity | undefined | Promise<Identity | undefined>

/** True if every part of an identity is there: who is only half known is not known. */
export const isWhole = ({
  owner,
  tenant,
  session,
  credential_context,
  principal,
  delegation,
}: Identity): boolean =>
  [owner, tenant, session, credential_context].every((part) => part !== '') &&
  [principal, ...delegation].every(({ type, id }) => type !== '' && id !== '')
