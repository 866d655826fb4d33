import { constants, type KeyObject, sign } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'

/** An extension: its identifier in dots, and what stands inside its OCTET STRING. */
export type ExtensionSpec = { readonly oid: string; readonly critical?: boolean; readonly value: Uint8Array }

/** What stands before the common name, each part by its identifier. */
export type Organisation = readonly (readonly [type: string, value: string])[]

/** A distinguished name. */
export type NameSpec = { readonly organisation: Organisation; readonly commonName: string }

/** A certificate to be made. */
export type CertificateSpec = {
  readonly serial: number
  readonly issuer: NameSpec
  readonly subject: NameSpec
  /** SubjectPublicKeyInfo. */
  readonly spki: Uint8Array
  readonly notBeforeMs: number
  readonly notAfterMs: number
  readonly extensions: readonly ExtensionSpec[]
  /** Whether trailerField is written though it has its default value, as in AMD's older certificates. */
  readonly writesTrailerField: boolean
}

const COUNTRY = '2.5.4.6'
const COMMON_NAME = '2.5.4.3'

const relativeName = ([type, value]: readonly [string, string]): asn1js.Set => {
  const text = type === COUNTRY ? new asn1js.PrintableString({ value }) : new asn1js.Utf8String({ value })
  const attribute = new asn1js.Sequence({ value: [new asn1js.ObjectIdentifier({ value: type }), text] })
  return new asn1js.Set({ value: [attribute] })
}

/** A Name. Encoded here: left to itself, pkijs puts all attributes into one set, which makes another name. */
export const encodeName = ({ organisation, commonName }: NameSpec): pkijs.RelativeDistinguishedNames => {
  const parts = [...organisation, [COMMON_NAME, commonName] as const]
  return pkijs.RelativeDistinguishedNames.fromBER(
    new asn1js.Sequence({ value: parts.map(relativeName) }).toBER(),
  )
}

const hash = (): asn1js.Sequence =>
  new asn1js.Sequence({
    value: [new asn1js.ObjectIdentifier({ value: '2.16.840.1.101.3.4.2.2' }), new asn1js.Null()],
  })

const tagged = (tagNumber: number, value: asn1js.AsnType): asn1js.Constructed =>
  new asn1js.Constructed({ idBlock: { tagClass: 3, tagNumber }, value: [value] })

const mgf1 = (): asn1js.Sequence =>
  new asn1js.Sequence({ value: [new asn1js.ObjectIdentifier({ value: '1.2.840.113549.1.1.8' }), hash()] })

/** RSASSA-PSS, SHA-384, MGF1 with SHA-384, salt of 48 bytes (RFC 4055 §3.1). */
export const signatureAlgorithm = (writesTrailerField: boolean): pkijs.AlgorithmIdentifier => {
  const parameters = [tagged(0, hash()), tagged(1, mgf1()), tagged(2, new asn1js.Integer({ value: 48 }))]
  if (writesTrailerField) parameters.push(tagged(3, new asn1js.Integer({ value: 1 })))
  return new pkijs.AlgorithmIdentifier({
    algorithmId: '1.2.840.113549.1.1.10',
    algorithmParams: new asn1js.Sequence({ value: parameters }),
  })
}

/** An Extension. */
export const encodeExtension = ({ oid, critical = false, value }: ExtensionSpec): pkijs.Extension =>
  new pkijs.Extension({ extnID: oid, critical, extnValue: new Uint8Array(value).buffer })

const unsigned = (spec: CertificateSpec): pkijs.Certificate => {
  const algorithm = signatureAlgorithm(spec.writesTrailerField)
  return new pkijs.Certificate({
    version: 2,
    serialNumber: new asn1js.Integer({ value: spec.serial }),
    signature: algorithm,
    signatureAlgorithm: algorithm,
    issuer: encodeName(spec.issuer),
    subject: encodeName(spec.subject),
    notBefore: new pkijs.Time({ type: pkijs.TimeType.UTCTime, value: new Date(spec.notBeforeMs) }),
    notAfter: new pkijs.Time({ type: pkijs.TimeType.UTCTime, value: new Date(spec.notAfterMs) }),
    subjectPublicKeyInfo: pkijs.PublicKeyInfo.fromBER(new Uint8Array(spec.spki)),
    extensions: spec.extensions.map(encodeExtension),
  })
}

/** What an authority's key makes of some bytes. */
export const signAsAuthority = (data: Uint8Array, key: KeyObject): Uint8Array =>
  new Uint8Array(sign('sha384', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }))

/** Makes a certificate in AMD's profile, under a name that is not AMD's. DER. */
export const mintCertificate = (spec: CertificateSpec, issuerKey: KeyObject): Uint8Array => {
  const certificate = unsigned(spec)
  certificate.tbsView = new Uint8Array(certificate.encodeTBS().toBER())
  const signature = signAsAuthority(certificate.tbsView, issuerKey)
  certificate.signatureValue = new asn1js.BitString({ valueHex: signature.slice().buffer })
  return new Uint8Array(certificate.toSchema().toBER())
}
