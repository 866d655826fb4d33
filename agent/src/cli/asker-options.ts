import type { AttestedRelay } from '../attest-relay.js'
import type { Participant } from '../participant.js'
import { parseRelayUrl } from '../relay-url.js'
import { type HomeOption, participantOf } from './home.js'
import type { Io } from './io.js'
import { readTrust, type TrustOptions } from './read-input.js'

/** The options of a command that asks a relay what there is for a key. */
export type AskerOptions = HomeOption & TrustOptions & { readonly relay: string; readonly json?: true }

/** The participant of a home, and the relay, appraised anew. */
export const askerOf = async (
  options: AskerOptions,
  io: Io,
): Promise<{ participant: Participant; relay: AttestedRelay }> => {
  const trust = await readTrust(options)
  const participant = await participantOf(options, io)
  return { participant, relay: await participant.attest(parseRelayUrl(options.relay), trust) }
}
