import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { der, derHex, TAG } from './der.js'
import { googleName } from './google-name.js'

/** What a certificate is to be made of. */
export type CertificateRequest = {
  readonly commonName: string
  readonly serial: number
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** How many authorities may stand below it, or null for a signer. */
  readonly pathLength: number | null
}

/** A key with its certificate, which stands where Google's would: same structures, a key of our own. */
export type GoogleAuthority = {
  /** DER. */
  readonly certificate: Uint8Array
  readonly name: Uint8Array
  /** RSASSA-PSS, SHA-256, salt of 32 bytes. */
  readonly sign: (data: Uint8Array) => Uint8Array
}

const KEY_BITS = 2048

// As Go writes it: RFC 4055 §3.1, hash identifiers with NULL.
const RSA_PSS_SHA256 = Buffer.from(
  '304106092a864886f70d01010a3034a00f300d06096086480165030402010500' +
    'a11c301a06092a864886f70d010108300d06096086480165030402010500a203020120',
  'hex',
)

const utcTime = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(TAG.utcTime, Buffer.from(digits.slice(2), 'ascii'))
}

const critical = (oid: string, value: Uint8Array): Buffer =>
  der(TAG.sequence, derHex(TAG.oid, oid), derHex(TAG.boolean, 'ff'), der(TAG.octetString, value))

const extensions = (pathLength: number | null): Buffer => {
  const authority = pathLength !== null
  // keyCertSign and cRLSign, or digitalSignature.
  const usage = critical('551d0f', derHex(TAG.bitString, authority ? '0106' : '0780'))
  const ca = authority ? [derHex(TAG.boolean, 'ff'), der(TAG.integer, Uint8Array.of(pathLength))] : []
  const constraints = critical('551d13', der(TAG.sequence, ...ca))
  return der(TAG.context3, der(TAG.sequence, usage, constraints))
}

const tbsOf = (request: CertificateRequest, issuer: Uint8Array, spki: Uint8Array): Buffer =>
  der(
    TAG.sequence,
    der(TAG.context0, derHex(TAG.integer, '02')),
    der(TAG.integer, Uint8Array.of(request.serial)),
    RSA_PSS_SHA256,
    issuer,
    der(TAG.sequence, utcTime(request.notBeforeMs), utcTime(request.notAfterMs)),
    googleName(request.commonName, request.serial),
    spki,
    extensions(request.pathLength),
  )

const certify = (tbs: Uint8Array, signWith: GoogleAuthority['sign']): Buffer =>
  der(TAG.sequence, tbs, RSA_PSS_SHA256, der(TAG.bitString, Uint8Array.of(0), signWith(tbs)))

const makeKey = (): { key: KeyObject; spki: Uint8Array } => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  const key = createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' })
  return { key, spki: createPublicKey(key).export({ type: 'spki', format: 'der' }) }
}

const mint = (request: CertificateRequest, issuer: GoogleAuthority | null): GoogleAuthority => {
  const { key, spki } = makeKey()
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  const own: GoogleAuthority['sign'] = (data) => sign('sha256', data, pss)
  const name = googleName(request.commonName, request.serial)
  const tbs = tbsOf(request, issuer?.name ?? name, spki)
  return { certificate: certify(tbs, issuer?.sign ?? own), name, sign: own }
}

/** Mints a root that stands where Google's would. Whatever is checked under it is simulated. */
export const mintGoogleRoot = (request: CertificateRequest): GoogleAuthority => mint(request, null)

/** Issues a certificate for a new key. */
export const issueGoogleCertificate = (
  issuer: GoogleAuthority,
  request: CertificateRequest,
): GoogleAuthority => mint(request, issuer)
