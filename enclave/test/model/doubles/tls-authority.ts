import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'

/** A server's certificate and key, PEM. */
export type ServerIdentity = { readonly cert: string; readonly key: string }

/** An authority that exists for one test. */
export type TlsAuthority = {
  /** PEM. */
  readonly root: string
  readonly issue: (
    host: string,
    validity?: { notBeforeMs: number; notAfterMs: number },
  ) => Promise<ServerIdentity>
}

const DAY_MS = 86_400_000
const BASIC_CONSTRAINTS = '2.5.29.19'
const SUBJECT_ALT_NAME = '2.5.29.17'
const DNS_NAME = 2

type Subject = {
  readonly name: string
  readonly publicKey: CryptoKey
  readonly extensions: readonly pkijs.Extension[]
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

const makeKeys = () =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])

const pem = (label: string, der: ArrayBuffer): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

const nameOf = (name: string) =>
  new pkijs.AttributeTypeAndValue({ type: '2.5.4.3', value: new asn1js.Utf8String({ value: name }) })

let serial = 0

const mint = async (subject: Subject, issuer: string, issuerKey: CryptoKey): Promise<string> => {
  const certificate = new pkijs.Certificate({
    version: 2,
    serialNumber: new asn1js.Integer({ value: ++serial }),
    notBefore: new pkijs.Time({ type: pkijs.TimeType.UTCTime, value: new Date(subject.notBeforeMs) }),
    notAfter: new pkijs.Time({ type: pkijs.TimeType.UTCTime, value: new Date(subject.notAfterMs) }),
    extensions: [...subject.extensions],
  })
  certificate.issuer.typesAndValues.push(nameOf(issuer))
  certificate.subject.typesAndValues.push(nameOf(subject.name))
  await certificate.subjectPublicKeyInfo.importKey(subject.publicKey)
  await certificate.sign(issuerKey, 'SHA-256')
  return pem('CERTIFICATE', certificate.toSchema().toBER())
}

const extension = (extnID: string, value: asn1js.BaseBlock) =>
  new pkijs.Extension({ extnID, critical: extnID === BASIC_CONSTRAINTS, extnValue: value.toBER() })

const asAuthority = () => extension(BASIC_CONSTRAINTS, new pkijs.BasicConstraints({ cA: true }).toSchema())

const asServer = (host: string) =>
  extension(
    SUBJECT_ALT_NAME,
    new pkijs.GeneralNames({ names: [new pkijs.GeneralName({ type: DNS_NAME, value: host })] }).toSchema(),
  )

/** Makes an authority with keys of its own. */
export const makeTlsAuthority = async (name = 'Test authority'): Promise<TlsAuthority> => {
  const keys = await makeKeys()
  const now = Date.now()
  const dates = { notBeforeMs: now - DAY_MS, notAfterMs: now + DAY_MS }
  const subject = { name, publicKey: keys.publicKey, extensions: [asAuthority()], ...dates }
  return {
    root: await mint(subject, name, keys.privateKey),
    issue: async (host, validity = dates) => {
      const { publicKey, privateKey } = await makeKeys()
      const leaf = { name: host, publicKey, extensions: [asServer(host)], ...validity }
      return {
        cert: await mint(leaf, name, keys.privateKey),
        key: pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', privateKey)),
      }
    },
  }
}
