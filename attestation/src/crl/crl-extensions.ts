import { DerReader, malformed } from '../certificate/der.js'
import type { Extensions, ExtensionRule } from '../certificate/extensions.js'
import { OID } from '../certificate/oids.js'
import { readSerial } from '../certificate/serial.js'

/**
 * What stands beside a list of one authority's own certificates (RFC 5280 §5.2). A delta, or a list of some reasons or
 * of another's certificates, would have to be read in another way, whether or not it calls that critical.
 */
export const ofList: ExtensionRule = (key, critical) => {
  const special = key === OID.deltaCrlIndicator || key === OID.issuingDistributionPoint
  if (special || critical) throw malformed('an extension of the CRL is not known')
}

/** What stands beside an entry: whatever the reason, what is listed is revoked. */
export const ofEntry: ExtensionRule = (_, critical) => {
  if (critical) throw malformed('an extension of an entry is not known')
}

/** The CRL's number (RFC 5280 §5.2.3), which every list of this profile has. */
export const readCrlNumber = (extensions: Extensions): bigint => {
  const value = extensions.get(OID.crlNumber)
  if (value === undefined) throw malformed('the CRL has no number')
  const reader = new DerReader(value)
  const digits = readSerial(reader)
  reader.finish('the number of the CRL')
  return digits.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}
