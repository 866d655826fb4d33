import { DerReader, malformed, TAG } from './der.js'
import { OID, oidKey } from './oids.js'

/**
 * A distinguished name whose last part is its common name, as in all that AMD issues. Names are compared byte by
 * byte: what differs in encoding differs.
 */
export type Name = {
  readonly der: Uint8Array
  /** What stands before the common name: organisation, country and so on. */
  readonly prefix: Uint8Array
  readonly commonName: string
}

/** Printable ASCII as text. */
export const printable = (content: Uint8Array, what: string): string => {
  let text = ''
  for (const byte of content) {
    if (byte < 0x20 || byte > 0x7e) throw malformed(`${what} is not printable ASCII`)
    text += String.fromCharCode(byte)
  }
  return text
}

const readText = (attribute: DerReader): string => {
  const content = attribute.content(attribute.nextIs(TAG.utf8String) ? TAG.utf8String : TAG.printableString)
  return printable(content, 'a name')
}

const readCommonName = (relativeName: DerReader): string => {
  const set = relativeName.enter(TAG.set)
  const attribute = set.enter(TAG.sequence)
  set.finish('a relative name')
  if (oidKey(attribute.content(TAG.oid)) !== OID.commonName)
    throw malformed('a name does not end in a common name')
  const text = readText(attribute)
  attribute.finish('a name attribute')
  return text
}

/** Reads a Name (RFC 5280 §4.1.2.4). What stands before the common name is only ever compared, so it is not decoded. */
export const readName = (outer: DerReader): Name => {
  const der = outer.element(TAG.sequence)
  const names = new DerReader(der).enter(TAG.sequence)
  const first = names.position
  let last = first
  while (!names.done) {
    last = names.position
    names.skip(TAG.set)
  }
  return { der, prefix: der.subarray(first, last), commonName: readCommonName(new DerReader(der, last)) }
}
