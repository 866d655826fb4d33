import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { der, derHex, TAG } from '../google-root/der.js'

/** An authority over the keys of TPMs, which stands where Google's would: a key of our own. */
export type TpmAuthority = {
  /** DER */
  readonly certificate: Uint8Array
  readonly name: Uint8Array
  readonly key: KeyObject
}

/** When certificates are to count. */
export type Dates = { readonly notBeforeMs: number; readonly notAfterMs: number }

type Subject = Dates & {
  readonly commonName: string
  readonly spki: Uint8Array
  readonly isAuthority: boolean
}

const RSA_SHA256 = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')

const utcTime = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(TAG.utcTime, Buffer.from(digits.slice(2), 'ascii'))
}

const nameOf = (commonName: string): Buffer => {
  const value = der(TAG.printableString, Buffer.from(commonName, 'ascii'))
  return der(TAG.sequence, der(TAG.set, der(TAG.sequence, derHex(TAG.oid, '550403'), value)))
}

const critical = (oid: string, value: Uint8Array): Buffer =>
  der(TAG.sequence, derHex(TAG.oid, oid), derHex(TAG.boolean, 'ff'), der(TAG.octetString, value))

const extensions = (isAuthority: boolean): Buffer => {
  const usage = critical('551d0f', derHex(TAG.bitString, isAuthority ? '0106' : '0780'))
  const constraints = critical(
    '551d13',
    der(TAG.sequence, ...(isAuthority ? [derHex(TAG.boolean, 'ff')] : [])),
  )
  return der(TAG.context3, der(TAG.sequence, usage, constraints))
}

const algorithmOf = ({ asymmetricKeyType }: KeyObject): Buffer =>
  asymmetricKeyType === 'rsa' ? RSA_SHA256 : ECDSA_SHA256

const certify = (subject: Subject, issuer: Pick<TpmAuthority, 'name' | 'key'>): Buffer => {
  const algorithm = algorithmOf(issuer.key)
  const tbs = der(
    TAG.sequence,
    der(TAG.context0, derHex(TAG.integer, '02')),
    der(TAG.integer, Uint8Array.of(1)),
    algorithm,
    issuer.name,
    der(TAG.sequence, utcTime(subject.notBeforeMs), utcTime(subject.notAfterMs)),
    nameOf(subject.commonName),
    subject.spki,
    extensions(subject.isAuthority),
  )
  const signature = sign('sha256', tbs, issuer.key)
  return der(TAG.sequence, tbs, algorithm, der(TAG.bitString, Uint8Array.of(0), signature))
}

/** A key that can be certified: both halves, the public one as SubjectPublicKeyInfo. */
export const makeTpmAuthorityKey = (
  type: 'rsa' | 'ec',
): { readonly key: KeyObject; readonly spki: Uint8Array } => {
  const publicKeyEncoding = { type: 'spki', format: 'der' } as const
  const privateKeyEncoding = { type: 'pkcs8', format: 'der' } as const
  const { publicKey, privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
      : generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding })
  return { key: createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' }), spki: publicKey }
}

/** Mints a root. Whatever ends at it is simulated. */
export const mintTpmRoot = (
  type: 'rsa' | 'ec',
  dates: Dates,
  commonName = 'Simulated TPM root',
): TpmAuthority => {
  const { key, spki } = makeTpmAuthorityKey(type)
  const name = nameOf(commonName)
  return { key, name, certificate: certify({ ...dates, commonName, spki, isAuthority: true }, { key, name }) }
}

/** Mints an authority below another. */
export const mintTpmIssuer = (
  type: 'rsa' | 'ec',
  issuer: TpmAuthority,
  dates: Dates,
  commonName = 'Simulated TPM issuer',
): TpmAuthority => {
  const { key, spki } = makeTpmAuthorityKey(type)
  return {
    key,
    name: nameOf(commonName),
    certificate: certify({ ...dates, commonName, spki, isAuthority: true }, issuer),
  }
}

/** Certifies an attestation key; DER. */
export const certifyAttestationKey = (issuer: TpmAuthority, spki: Uint8Array, dates: Dates): Uint8Array =>
  certify({ ...dates, commonName: 'An attestation key', spki, isAuthority: false }, issuer)
