import { type DerReader, malformed, TAG } from './der.js'

const MAX_SERIAL_BYTES = 20

/** Reads a serial number (RFC 5280 §4.1.2.2): not negative, minimal, at most 20 octets. AMD's leaves all have zero. */
export const readSerial = (outer: DerReader): Uint8Array => {
  const serial = outer.content(TAG.integer)
  const [first, second] = serial
  if (first === undefined || first >= 0x80) throw malformed('the serial number is negative or empty')
  const padded = first === 0 && second !== undefined && second < 0x80
  if (padded || serial.length > MAX_SERIAL_BYTES)
    throw malformed('the serial number is not minimal, or too long')
  return serial
}
