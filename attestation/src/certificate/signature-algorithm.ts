import { equalBytes } from '../equal-bytes.js'
import { bytesOf } from '../hex.js'
import { type DerReader, malformed, TAG } from './der.js'

// RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes (RFC 4055 §3.1), as AMD writes it.
const PARAMETERS =
  'a00f300d06096086480165030402020500' +
  'a11c301a06092a864886f70d010108300d06096086480165030402020500' +
  'a203020130'

const PLAIN = bytesOf(`304106092a864886f70d01010a3034${PARAMETERS}`)

// Older certificates write trailerField although it has its default value, which DER would leave out.
const WITH_TRAILER_FIELD = bytesOf(`304606092a864886f70d01010a3039${PARAMETERS}a303020101`)

/**
 * Reads an AlgorithmIdentifier, which can only be the one algorithm that AMD signs with, in its two encodings.
 * Nothing is negotiated: an attacker can't name a weaker one.
 */
export const readSignatureAlgorithm = (outer: DerReader): Uint8Array => {
  const identifier = outer.element(TAG.sequence)
  const known = [PLAIN, WITH_TRAILER_FIELD].some((encoding) => equalBytes(identifier, encoding))
  if (!known) throw malformed('the signature algorithm is not RSASSA-PSS with SHA-384 as AMD uses it')
  return identifier
}

const SIGNATURE_BYTES = 512

/** Reads the signature that such an algorithm makes with an RSA-4096 key: 512 bytes, in whole octets. */
export const readSignature = (outer: DerReader): Uint8Array => {
  const bits = outer.content(TAG.bitString)
  if (bits.length !== SIGNATURE_BYTES + 1 || bits[0] !== 0)
    throw malformed('the signature is not one of RSA-4096')
  return bits.subarray(1)
}
