import { type DerReader, malformed, readFlag, TAG } from './der.js'
import { AMD_ARC, AMD_OID, OID, oidKey } from './oids.js'

/** Extension values by the key of their object identifier. */
export type Extensions = ReadonlyMap<string, Uint8Array>

/** What becomes of an extension before its value is read. */
export type ExtensionRule = (key: string, critical: boolean) => void

const AMD_KNOWN = new Set<string>(Object.values(AMD_OID))
const UNDERSTOOD = new Set<string>([...Object.values(OID), ...AMD_KNOWN])

const ofCertificate: ExtensionRule = (key, critical) => {
  // A part that AMD may count one day must not go uncompared: what is new under its arc is refused.
  const unknownOfAmd = key.startsWith(AMD_ARC) && !AMD_KNOWN.has(key)
  if (unknownOfAmd || (critical && !UNDERSTOOD.has(key))) throw malformed('an extension is not known')
}

const readExtension = (outer: DerReader, rule: ExtensionRule): { key: string; value: Uint8Array } => {
  const extension = outer.enter(TAG.sequence)
  const key = oidKey(extension.content(TAG.oid))
  rule(key, readFlag(extension))
  const value = extension.content(TAG.octetString)
  extension.finish('an extension')
  return { key, value }
}

/** Reads a list of extensions (RFC 5280 §4.2). The same identifier twice is refused: which one would count? */
export const readExtensionList = (outer: DerReader, rule: ExtensionRule): Extensions => {
  const list = outer.enter(TAG.sequence)
  const found = new Map<string, Uint8Array>()
  while (!list.done) {
    const { key, value } = readExtension(list, rule)
    if (found.has(key)) throw malformed('an extension occurs twice')
    found.set(key, value)
  }
  return found
}

/** Reads the extensions of a certificate. */
export const readExtensions = (tbs: DerReader): Extensions => {
  const wrapper = tbs.enter(TAG.context3)
  const found = readExtensionList(wrapper, ofCertificate)
  wrapper.finish('the extensions')
  return found
}
