import { type ConsentGrant, type IngressPorts, useAnyGrant } from '@parley/guardian'
import { type Clock, nowSeconds } from '../clock.js'
import type { GrantFolder } from './grant-folder.js'

/** What the consents of a receiver stand on. */
export type ConsentDesk = {
  readonly folder: GrantFolder
  readonly clock: Clock
  /** The receiver's own identifier: a consent names where it counts. */
  readonly audience: string
  /** The identifier whose key signs an origin's tasks; null where only the pairing says who sends. */
  readonly senderOf: (origin_id: string) => Promise<string | null>
}

/**
 * The consents of a home as the ingress asks for them: read from the disk and counted at every task, remembered at none.
 * An origin without a key of its own has no consent, since nobody could be held to it.
 * @see protocol SPEC "Grants"
 */
export const consentPort = ({ folder, clock, audience, senderOf }: ConsentDesk): IngressPorts['consent'] => ({
  consume: async ({ subject, purpose, origin_id }) => {
    const holder = await senderOf(origin_id)
    if (holder === null) return false
    const consents = folder.held().filter((grant): grant is ConsentGrant => grant.typ === 'consent')
    const ports = { nowSeconds: () => nowSeconds(clock), take: folder.take.bind(folder) }
    const chains = consents.map((grant) => [grant])
    const asked = { typ: 'consent', subject, holder, audience, purpose, contract_hash: null } as const
    return (await useAnyGrant(ports, chains, asked)).ok
  },
})
