import { equalBytes } from '../equal-bytes.js'
import type { SigningKey } from '../report/signer-info.js'
import { type AmdExtensions, readAmdExtensions } from './amd-extensions.js'
import { type Authority, readAuthority } from './authority.js'
import { DerReader, malformed, readSmallInteger, TAG } from './der.js'
import { type Extensions, readExtensions } from './extensions.js'
import { type Name, readName } from './name.js'
import { type PublicKey, readPublicKey } from './public-key.js'
import { readSerial } from './serial.js'
import { readSignature, readSignatureAlgorithm } from './signature-algorithm.js'
import { readValidity, type Validity } from './validity.js'

/** A certificate of AMD's profile, parsed and not verified. */
export type Certificate = Validity & {
  readonly der: Uint8Array
  /** What the signature covers. */
  readonly tbs: Uint8Array
  readonly serial: Uint8Array
  readonly issuer: Name
  readonly subject: Name
  readonly publicKey: PublicKey
  readonly authority: Authority
  /** The kind of leaf that its common name claims, with AMD's extensions; null for an authority. */
  readonly leaf: (AmdExtensions & { readonly kind: SigningKey }) | null
  readonly signature: Uint8Array
}

const MAX_CERTIFICATE_BYTES = 8192

const LEAF_KINDS: ReadonlyMap<string, SigningKey> = new Map([
  ['SEV-VCEK', 'vcek'],
  ['SEV-VLEK', 'vlek'],
])

const readVersion3 = (tbs: DerReader): void => {
  const wrapper = tbs.enter(TAG.context0)
  if (readSmallInteger(wrapper.content(TAG.integer)) !== 2)
    throw malformed('not an X.509 version 3 certificate')
  wrapper.finish('the version')
}

const readTbs = (whole: Uint8Array) => {
  const outer = new DerReader(whole)
  const tbs = outer.enter(TAG.sequence)
  readVersion3(tbs)
  const serial = readSerial(tbs)
  const algorithm = readSignatureAlgorithm(tbs)
  const issuer = readName(tbs)
  const validity = readValidity(tbs)
  const subject = readName(tbs)
  const publicKey = readPublicKey(tbs)
  const extensions = readExtensions(tbs)
  tbs.finish('the certificate to be signed')
  return { serial, algorithm, issuer, validity, subject, publicKey, extensions }
}

const readLeaf = (commonName: string, extensions: Extensions): Certificate['leaf'] => {
  const kind = LEAF_KINDS.get(commonName)
  return kind === undefined ? null : { kind, ...readAmdExtensions(extensions) }
}

/**
 * A certificate from DER. AMD's profile only, encoded as AMD encodes it: X.509 v3, RSASSA-PSS with SHA-384, an
 * RSA-4096 or P-384 key, no extension twice, no unknown critical one, nothing after the end.
 * @param input up to 8 KiB; copied
 * @throws AttestationError certificate_malformed
 * @see RFC 5280 §4.1; AMD 57230
 */
export const parseCertificate = (input: Uint8Array): Certificate => {
  if (input.length > MAX_CERTIFICATE_BYTES)
    throw malformed(`a certificate has over ${MAX_CERTIFICATE_BYTES} bytes`)
  const der = new Uint8Array(input)
  const file = new DerReader(der)
  const outer = file.enter(TAG.sequence)
  file.finish('the certificate')
  const tbs = outer.element(TAG.sequence)
  const { algorithm, extensions, serial, issuer, validity, subject, publicKey } = readTbs(tbs)
  // The outer algorithm is not signed: it has to repeat the inner one.
  if (!equalBytes(readSignatureAlgorithm(outer), algorithm))
    throw malformed('two different signature algorithms')
  const signature = readSignature(outer)
  outer.finish('the certificate')
  const leaf = readLeaf(subject.commonName, extensions)
  const authority = readAuthority(extensions)
  const { notBeforeMs, notAfterMs } = validity

  return { der, tbs, serial, issuer, notBeforeMs, notAfterMs, subject, publicKey, authority, leaf, signature }
}
