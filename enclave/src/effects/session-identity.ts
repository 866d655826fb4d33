import type { Identity, PolicyEntity } from '@parley/guardian'
import type { Services } from '../session/services.js'
import type { LiveSession, Session } from '../session/session.js'
import type { Agreement } from '../session/agreement.js'

/** A session as the policy sees it: by its contract, since nothing can be said beforehand of an id that is drawn. */
export const sessionEntity = (
  { bundle }: Pick<Services, 'bundle'>,
  { contractHash: contract }: Pick<Agreement, 'contractHash'>,
): PolicyEntity => ({
  type: 'Session',
  id: contract,
  attributes: { contract, profile: bundle.profile.name },
})

/** Who is behind a session: those who signed its offer, all of them, or nobody. */
export const identityOf = (
  services: Pick<Services, 'bundle' | 'keys'>,
  session: Session,
): Identity | undefined => {
  if (session.kind === 'ended' || session.offered === null) return undefined
  const owner = ownerOf(session)
  if (owner === null || session.seats.some(({ consent }) => consent === null)) return undefined
  const { agreement, id } = session
  return {
    owner,
    tenant: services.keys.keysetDigest,
    session: id,
    credential_context: agreement.service?.account ?? 'none',
    principal: sessionEntity(services, agreement),
    delegation: [],
  }
}

/** Whoever proposed the contract. */
const ownerOf = ({ seats }: LiveSession): string | null => seats[0]?.did ?? null
