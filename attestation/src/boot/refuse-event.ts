import { crypto } from '#crypto'
import { equalBytes, isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { EVENT } from './event-types.js'
import type { BootEvent } from './parse-event-log.js'

/** A measurement that nothing accounts for. */
export const refusedEvent = ({ pcr }: Pick<BootEvent, 'pcr'>, what: string): AttestationError =>
  new AttestationError('boot_event_refused', `PCR ${pcr}: ${what}`)

/** Checks that an event's digest is that of its data. */
export const checkOwnDigest = async (event: BootEvent): Promise<void> => {
  if (!equalBytes(await crypto.sha256(event.data), event.digest))
    throw refusedEvent(event, 'a digest is not of the data beside it')
}

const SEPARATOR_BYTES = 4

/**
 * Whether an event is the end of what firmware measured before it booted: four zeros, or four times 0xff. Any other
 * value says that firmware had met an error.
 * @throws AttestationError boot_event_refused
 */
export const isSeparator = async (event: BootEvent): Promise<boolean> => {
  const { type, data } = event
  if (type !== EVENT.separator) return false
  const uniform = isZero(data) || data.every((byte) => byte === 0xff)
  if (data.length !== SEPARATOR_BYTES || !uniform) throw refusedEvent(event, 'firmware had met an error')
  await checkOwnDigest(event)
  return true
}
