import { DerReader, malformed, readFlag, readSmallInteger, TAG } from './der.js'
import type { Extensions } from './extensions.js'
import { OID } from './oids.js'

/** What a certificate may do as an authority. */
export type Authority = {
  readonly isCa: boolean
  readonly pathLength: number | null
  readonly maySignCertificates: boolean
  readonly maySignCrls: boolean
}

const readBasicConstraints = (
  value: Uint8Array | undefined,
): { isCa: boolean; pathLength: number | null } => {
  if (value === undefined) return { isCa: false, pathLength: null }
  const outer = new DerReader(value)
  const inner = outer.enter(TAG.sequence)
  outer.finish('basicConstraints')
  const isCa = readFlag(inner)
  const pathLength = inner.done ? null : readSmallInteger(inner.content(TAG.integer))
  inner.finish('basicConstraints')
  return { isCa, pathLength }
}

// Named bits 5 and 6 of the first byte, counted from the left (RFC 5280 §4.2.1.3).
const KEY_CERT_SIGN = 0x04
const CRL_SIGN = 0x02

const readKeyUsage = (value: Uint8Array | undefined): number => {
  if (value === undefined) return 0
  const outer = new DerReader(value)
  const bits = outer.content(TAG.bitString)
  outer.finish('keyUsage')
  // The first byte counts unused bits; nine bits are named, so two bytes may follow.
  if (bits.length < 2 || bits.length > 3 || (bits[0] ?? 8) > 7)
    throw malformed('keyUsage is no string of named bits')
  return bits[1] ?? 0
}

/** Reads basicConstraints and keyUsage. A leaf of AMD's has neither. */
export const readAuthority = (extensions: Extensions): Authority => {
  const usage = readKeyUsage(extensions.get(OID.keyUsage))
  return {
    ...readBasicConstraints(extensions.get(OID.basicConstraints)),
    maySignCertificates: (usage & KEY_CERT_SIGN) !== 0,
    maySignCrls: (usage & CRL_SIGN) !== 0,
  }
}
