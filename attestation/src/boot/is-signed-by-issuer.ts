import { DerReader, TAG } from '../certificate/der.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { PSS_SHA256 } from '../gce-endorsement/verify-google-chain.js'
import { bytesOf } from '../hex.js'
import type { SignatureScheme } from './algorithms.js'
import type { TpmCertificate } from './tpm-certificate.js'
import { verifySha256Signature } from './verify-sha256-signature.js'

// sha256WithRSAEncryption with NULL (RFC 4055 §5); ecdsa-with-SHA256 (RFC 5758 §3.2).
const RSA_SHA256 = bytesOf('300d06092a864886f70d01010b0500')
const ECDSA_SHA256 = bytesOf('300a06082a8648ce3d040302')

const INTEGER_BYTES = 32

const schemeOf = (algorithm: Uint8Array): SignatureScheme | null => {
  if (equalBytes(algorithm, RSA_SHA256)) return 'rsassa'
  if (equalBytes(algorithm, ECDSA_SHA256)) return 'ecdsa-p256'
  return PSS_SHA256.some((each) => equalBytes(each, algorithm)) ? 'rsapss' : null
}

const padInteger = (content: Uint8Array): Uint8Array | null => {
  const digits = content[0] === 0 ? content.subarray(1) : content
  if (digits.length > INTEGER_BYTES) return null
  const padded = new Uint8Array(INTEGER_BYTES)
  padded.set(digits, INTEGER_BYTES - digits.length)
  return padded
}

/** r ‖ s of an Ecdsa-Sig-Value (RFC 3279 §2.2.3); empty where it is none. */
const readEcdsa = (signature: Uint8Array): Uint8Array => {
  const file = new DerReader(signature)
  const numbers = file.enter(TAG.sequence)
  file.finish('a signature')
  const r = padInteger(numbers.content(TAG.integer))
  const s = padInteger(numbers.content(TAG.integer))
  numbers.finish('a signature')
  return r === null || s === null ? new Uint8Array() : Uint8Array.of(...r, ...s)
}

const isMalformed = (error: unknown): boolean => error instanceof AttestationError

/** Whether a certificate is signed by an authority's key: RSASSA, RSAPSS or ECDSA on P-256, with SHA-256. */
export const isSignedByIssuer = async (child: TpmCertificate, issuer: TpmCertificate): Promise<boolean> => {
  const scheme = schemeOf(child.algorithm)
  if (scheme === null) return false
  try {
    const signature = scheme === 'ecdsa-p256' ? readEcdsa(child.signature) : child.signature
    return await verifySha256Signature(scheme, issuer.spki, child.tbs, signature)
  } catch (error) {
    if (isMalformed(error)) return false
    throw error
  }
}
