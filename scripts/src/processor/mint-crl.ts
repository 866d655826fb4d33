import type { KeyObject } from 'node:crypto'
import * as asn1js from 'asn1js'
import {
  encodeExtension,
  encodeName,
  type ExtensionSpec,
  type NameSpec,
  signAsAuthority,
  signatureAlgorithm,
} from './mint-certificate.js'

/** An entry of a list: the serial number as the content of an INTEGER, and since when. */
export type RevokedSpec = {
  readonly serial: Uint8Array
  readonly revokedAtMs: number
  readonly extensions?: readonly ExtensionSpec[]
}

/** A list of revoked certificates to be made. */
export type CrlSpec = {
  /** 1 is X.509's version 2. */
  readonly version: number
  readonly issuer: NameSpec
  readonly thisUpdateMs: number
  /** Null leaves it out. */
  readonly nextUpdateMs: number | null
  readonly revoked: readonly RevokedSpec[]
  readonly extensions: readonly ExtensionSpec[]
  readonly writesTrailerField: boolean
}

const time = (ms: number): asn1js.UTCTime => new asn1js.UTCTime({ valueDate: new Date(ms) })

const list = (extensions: readonly ExtensionSpec[]): asn1js.Sequence =>
  new asn1js.Sequence({ value: extensions.map((one) => encodeExtension(one).toSchema()) })

const entry = ({ serial, revokedAtMs, extensions }: RevokedSpec): asn1js.Sequence =>
  new asn1js.Sequence({
    value: [
      new asn1js.Integer({ valueHex: serial.slice().buffer }),
      time(revokedAtMs),
      ...(extensions === undefined ? [] : [list(extensions)]),
    ],
  })

const unsigned = (spec: CrlSpec): asn1js.Sequence =>
  new asn1js.Sequence({
    value: [
      new asn1js.Integer({ value: spec.version }),
      signatureAlgorithm(spec.writesTrailerField).toSchema(),
      encodeName(spec.issuer).toSchema(),
      time(spec.thisUpdateMs),
      ...(spec.nextUpdateMs === null ? [] : [time(spec.nextUpdateMs)]),
      ...(spec.revoked.length === 0 ? [] : [new asn1js.Sequence({ value: spec.revoked.map(entry) })]),
      new asn1js.Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [list(spec.extensions)] }),
    ],
  })

/** Makes a list of revoked certificates in AMD's profile. DER. */
export const mintCrl = (spec: CrlSpec, issuerKey: KeyObject): Uint8Array => {
  const tbs = unsigned(spec)
  const signature = signAsAuthority(new Uint8Array(tbs.toBER()), issuerKey)
  const whole = new asn1js.Sequence({
    value: [
      tbs,
      signatureAlgorithm(spec.writesTrailerField).toSchema(),
      new asn1js.BitString({ valueHex: signature.slice().buffer }),
    ],
  })
  return new Uint8Array(whole.toBER())
}
