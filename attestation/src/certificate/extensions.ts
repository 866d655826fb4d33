import { type DerReader, malformed, readFlag, TAG } from './der.js'
import { AMD_ARC, AMD_OID, OID, oidKey } from './oids.js'

/** Extension values by the key of their object identifier. */
export type Extensions = ReadonlyMap<string, Uint8Array>

const AMD_KNOWN = new Set<string>(Object.values(AMD_OID))
const UNDERSTOOD = new Set<string>([...Object.values(OID), ...AMD_KNOWN])

const checkUnderstood = (key: string, critical: boolean): void => {
  // A part that AMD may count one day must not go uncompared: what is new under its arc is refused.
  const unknownOfAmd = key.startsWith(AMD_ARC) && !AMD_KNOWN.has(key)
  if (unknownOfAmd || (critical && !UNDERSTOOD.has(key))) throw malformed('an extension is not known')
}

const readExtension = (outer: DerReader): { key: string; value: Uint8Array } => {
  const extension = outer.enter(TAG.sequence)
  const key = oidKey(extension.content(TAG.oid))
  checkUnderstood(key, readFlag(extension))
  const value = extension.content(TAG.octetString)
  extension.finish('an extension')
  return { key, value }
}

/** Reads the extensions (RFC 5280 §4.2). The same identifier twice is refused: which one would count? */
export const readExtensions = (tbs: DerReader): Extensions => {
  const wrapper = tbs.enter(TAG.context3)
  const list = wrapper.enter(TAG.sequence)
  wrapper.finish('the extensions')
  const found = new Map<string, Uint8Array>()
  while (!list.done) {
    const { key, value } = readExtension(list)
    if (found.has(key)) throw malformed('an extension occurs twice')
    found.set(key, value)
  }
  return found
}
