import { DerReader, malformed, readSmallInteger, TAG } from '../certificate/der.js'
import { readExtensionList } from '../certificate/extensions.js'
import { type Name, readName } from '../certificate/name.js'
import { readSerial } from '../certificate/serial.js'
import { readSignature, readSignatureAlgorithm } from '../certificate/signature-algorithm.js'
import { readTime } from '../certificate/validity.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { toHex } from '../hex.js'
import { ofEntry, ofList, readCrlNumber } from './crl-extensions.js'

/** A list of revoked certificates of AMD's profile, parsed and not verified. Times are milliseconds since 1970, UTC. */
export type RevocationList = {
  readonly der: Uint8Array
  /** What the signature covers. */
  readonly tbs: Uint8Array
  readonly issuer: Name
  readonly thisUpdateMs: number
  readonly nextUpdateMs: number
  readonly number: bigint
  /** When each certificate was revoked, by its serial number in hex as DER spells it. */
  readonly revoked: ReadonlyMap<string, number>
  readonly signature: Uint8Array
}

const MAX_CRL_BYTES = 65_536

const VERSION_2 = 1

const readEntry = (list: DerReader): readonly [serial: string, revokedAtMs: number] => {
  const entry = list.enter(TAG.sequence)
  const serial = toHex(readSerial(entry))
  const revokedAtMs = readTime(entry)
  if (!entry.done) readExtensionList(entry, ofEntry)
  entry.finish('an entry')
  return [serial, revokedAtMs]
}

// Where nothing is revoked, the list is left out and not empty (RFC 5280 §5.1.2.6).
const readRevoked = (tbs: DerReader): Map<string, number> => {
  const revoked = new Map<string, number>()
  if (!tbs.nextIs(TAG.sequence)) return revoked
  const list = tbs.enter(TAG.sequence)
  while (!list.done) {
    const [serial, revokedAtMs] = readEntry(list)
    if (revoked.has(serial)) throw malformed('a certificate is listed twice')
    revoked.set(serial, revokedAtMs)
  }
  if (revoked.size === 0) throw malformed('a list of revoked certificates is empty')
  return revoked
}

const readNumber = (tbs: DerReader): bigint => {
  const wrapper = tbs.enter(TAG.context0)
  const extensions = readExtensionList(wrapper, ofList)
  wrapper.finish('the extensions of the CRL')
  return readCrlNumber(extensions)
}

const readTbs = (whole: Uint8Array) => {
  const tbs = new DerReader(whole).enter(TAG.sequence)
  if (readSmallInteger(tbs.content(TAG.integer)) !== VERSION_2) throw malformed('not a CRL of version 2')
  const algorithm = readSignatureAlgorithm(tbs)
  const issuer = readName(tbs)
  const thisUpdateMs = readTime(tbs)
  // Optional in RFC 5280; a list without it would never grow old.
  const nextUpdateMs = readTime(tbs)
  if (nextUpdateMs <= thisUpdateMs) throw malformed('nextUpdate is not after thisUpdate')
  const revoked = readRevoked(tbs)
  const number = readNumber(tbs)
  tbs.finish('the list to be signed')
  return { algorithm, issuer, thisUpdateMs, nextUpdateMs, revoked, number }
}

const read = (input: Uint8Array): RevocationList => {
  const der = new Uint8Array(input)
  const file = new DerReader(der)
  const outer = file.enter(TAG.sequence)
  file.finish('the CRL')
  const tbs = outer.element(TAG.sequence)
  const { algorithm, ...fields } = readTbs(tbs)
  // The outer algorithm is not signed: it has to repeat the inner one.
  if (!equalBytes(readSignatureAlgorithm(outer), algorithm))
    throw malformed('two different signature algorithms')
  const signature = readSignature(outer)
  outer.finish('the CRL')
  return { der, tbs, ...fields, signature }
}

/**
 * A certificate revocation list from DER. AMD's profile only: version 2, RSASSA-PSS with SHA-384, a nextUpdate and a
 * number, no delta, no indirect entries, no certificate twice, nothing after the end.
 * @param input up to 64 KiB; copied
 * @throws AttestationError crl_malformed
 * @see RFC 5280 §5
 */
export const parseCrl = (input: Uint8Array): RevocationList => {
  if (input.length > MAX_CRL_BYTES)
    throw new AttestationError('crl_malformed', `a CRL has over ${MAX_CRL_BYTES} bytes`)
  try {
    return read(input)
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    throw new AttestationError('crl_malformed', error.message)
  }
}
