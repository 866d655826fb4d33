import { equalBytes } from '../equal-bytes.js'
import { bytesOf } from '../hex.js'
import { EVENT } from './event-types.js'
import type { BootEvent } from './parse-event-log.js'
import { checkOwnDigest, isSeparator, refusedEvent } from './refuse-event.js'

// UEFI_VARIABLE_DATA of EFI_GLOBAL_VARIABLE "SecureBoot" up to its value: GUID, length of the name in characters,
// length of the value, name in UTF-16.
const SECURE_BOOT = bytesOf(
  '61dfe48bca93d211aa0d00e098032b8c' +
    '0a00000000000000' +
    '0100000000000000' +
    '53006500630075007200650042006f006f007400',
)
const GUID_AND_NAME_LENGTH = 24
const NAME_AT = 32

// By GUID and name alone: a variable of the same name and another length is one, too.
const isSecureBoot = ({ data }: BootEvent): boolean =>
  equalBytes(data.subarray(0, GUID_AND_NAME_LENGTH), SECURE_BOOT.subarray(0, GUID_AND_NAME_LENGTH)) &&
  equalBytes(data.subarray(NAME_AT, SECURE_BOOT.length), SECURE_BOOT.subarray(NAME_AT))

const isOn = ({ data }: BootEvent): boolean =>
  data.length === SECURE_BOOT.length + 1 &&
  equalBytes(data.subarray(0, SECURE_BOOT.length), SECURE_BOOT) &&
  data.at(-1) === 1

/**
 * Whether Secure Boot was on. The variable must be the first measurement in PCR 7 and the only one of its name: a
 * system that is up can add another one. Whatever else is measured there is variables, or the separator.
 * @throws AttestationError boot_event_refused
 */
export const readSecureBoot = async (events: readonly BootEvent[]): Promise<boolean> => {
  for (const event of events) {
    const { type } = event
    if (type === EVENT.variableDriverConfig || type === EVENT.variableAuthority) await checkOwnDigest(event)
    // Such as that a debugger is attached, or that devices may write to memory.
    else if (!(await isSeparator(event))) throw refusedEvent(event, 'an event of another type')
  }
  const [first, ...others] = events
  if (first?.type !== EVENT.variableDriverConfig || !isSecureBoot(first) || others.some(isSecureBoot))
    throw refusedEvent({ pcr: 7 }, 'SecureBoot is not measured first, and once')
  return isOn(first)
}
