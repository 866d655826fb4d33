import { type Keyset, type Offer, SIZE_CLASSES } from '@parley/protocol'
import type { Statement } from '../finding.js'

/** What holds of an offer whoever reads it, before a consent as in a bundle: its times, its size class, its nonces. */
export const offerCoherence = (offer: Offer, { not_before, not_after }: Keyset): readonly Statement[] => {
  const { created_at, expires_at, release_bytes, participants } = offer
  return [
    // A well-formed offer begins before it ends.
    { holds: created_at >= not_before, code: 'offer_outside_keyset', what: 'created_at' },
    { holds: expires_at <= not_after, code: 'offer_outside_keyset', what: 'expires_at' },
    {
      holds: SIZE_CLASSES.some((size) => size === release_bytes),
      code: 'size_class_unknown',
      what: 'release_bytes',
    },
    {
      holds: new Set(participants.map(({ nonce }) => nonce)).size === participants.length,
      code: 'nonce_reflected',
      what: 'participants',
    },
  ]
}
