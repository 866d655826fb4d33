import { EVENT } from './event-types.js'
import type { BootEvent } from './parse-event-log.js'
import { checkOwnDigest, isSeparator, refusedEvent } from './refuse-event.js'

// What the boot manager says of itself (TCG PC Client Platform Firmware Profile, §10.4.3): no code is in that.
const ACTIONS = [
  'Calling EFI Application from Boot Option',
  'Returning from EFI Application from Boot Option',
]

const checkAction = async (event: BootEvent): Promise<void> => {
  if (!ACTIONS.includes(new TextDecoder().decode(event.data)))
    throw refusedEvent(event, 'an action that is none of booting')
  await checkOwnDigest(event)
}

/**
 * Digests of the programs that firmware started, in order: PCR 4 holds them, what the boot manager says, and the
 * separator, and nothing else. Under Secure Boot a unified kernel image is the only one; without, its stub has firmware
 * start the kernel in it as a second.
 * @throws AttestationError boot_event_refused
 */
export const readBootApplications = async (events: readonly BootEvent[]): Promise<readonly Uint8Array[]> => {
  const applications: Uint8Array[] = []
  for (const event of events) {
    if (event.type === EVENT.bootServicesApplication) applications.push(event.digest)
    else if (event.type === EVENT.action) await checkAction(event)
    else if (!(await isSeparator(event))) throw refusedEvent(event, 'an event of another type')
  }
  return applications
}
