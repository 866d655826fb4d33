import type { KeyObject } from 'node:crypto'
import type { ProductLine, SigningKey } from '@parley/attestation'
import * as asn1js from 'asn1js'
import type { AuthorityKeys } from './authority-keys.js'
import { type LeafSubject, leafExtensions } from './leaf-extensions.js'
import {
  type CertificateSpec,
  type ExtensionSpec,
  mintCertificate,
  type NameSpec,
  type Organisation,
} from './mint-certificate.js'
import { type CrlSpec, mintCrl } from './mint-crl.js'

/** Who certifies simulated chips: a root with one intermediate for VCEKs and one for VLEKs. */
export type SimulatedVendor = {
  readonly root: Uint8Array
  readonly intermediates: Readonly<Record<SigningKey, Uint8Array>>
  readonly intermediateSpki: Uint8Array
  /** An intermediate or a leaf; `changes` makes it differ from what AMD would issue. */
  readonly issueIntermediate: (kind: SigningKey, changes: Partial<CertificateSpec>) => Uint8Array
  readonly issueLeaf: (
    subject: LeafSubject,
    spki: Uint8Array,
    changes?: Partial<CertificateSpec>,
  ) => Uint8Array
  /** The root's list of revoked certificates; without changes it revokes nothing. DER. */
  readonly issueCrl: (changes?: Partial<CrlSpec>, signedBy?: KeyObject) => Uint8Array
}

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const CERT_SIGN = 0x04
const CERT_AND_CRL_SIGN = 0x06

/** The organisation of simulated vendors: whoever reads a name can't take it for AMD's. */
export const SIMULATED_ORGANISATION: Organisation = [
  ['2.5.4.11', 'Simulation'],
  ['2.5.4.6', 'ZZ'],
  ['2.5.4.7', 'Nowhere'],
  ['2.5.4.8', 'None'],
  ['2.5.4.10', 'Simulated secure processor, not AMD'],
]

const keyUsage = (bits: number): ExtensionSpec => ({
  oid: '2.5.29.15',
  critical: true,
  value: new Uint8Array(
    new asn1js.BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: 1 }).toBER(),
  ),
})

const constraints = (pathLength: number | null): ExtensionSpec => {
  const isCa = new asn1js.Boolean({ value: true })
  const value = pathLength === null ? [isCa] : [isCa, new asn1js.Integer({ value: pathLength })]
  return { oid: '2.5.29.19', critical: true, value: new Uint8Array(new asn1js.Sequence({ value }).toBER()) }
}

const intermediateName = (kind: SigningKey, product: ProductLine): string =>
  kind === 'vcek' ? `SEV-${product}` : `SEV-VLEK-${product}`

const leafName = (kind: SigningKey): string => (kind === 'vcek' ? 'SEV-VCEK' : 'SEV-VLEK')

// AMD's leaves: serial zero, seven years for a VCEK, one for a VLEK.
const leafDefaults = (subject: LeafSubject, nowMs: number) => ({
  serial: 0,
  notBeforeMs: nowMs - DAY_MS,
  notAfterMs: nowMs + (subject.kind === 'vcek' ? 7 : 1) * YEAR_MS,
  extensions: leafExtensions(subject),
  writesTrailerField: subject.kind === 'vlek',
})

const authorityDefaults = (nowMs: number) => ({
  notBeforeMs: nowMs - YEAR_MS,
  notAfterMs: nowMs + 20 * YEAR_MS,
  writesTrailerField: true,
})

/** The number of every list of a simulated vendor. */
export const CRL_NUMBER: ExtensionSpec = { oid: '2.5.29.20', value: Uint8Array.of(0x02, 0x01, 0x07) }

// As AMD's: a week before, and for a year.
const crlDefaults = (nowMs: number) => ({
  version: 1,
  thisUpdateMs: nowMs - 7 * DAY_MS,
  nextUpdateMs: nowMs + YEAR_MS,
  revoked: [],
  extensions: [CRL_NUMBER],
  writesTrailerField: false,
})

/** Whose the authorities are, and for what. */
export type VendorOptions = {
  readonly product: ProductLine
  readonly keys: AuthorityKeys
  readonly nowMs: number
  /** What names hold beside the common name; by default that they are simulated. */
  readonly organisation?: Organisation
}

/**
 * Makes the authorities of one product line. Common names are AMD's, for the same code to judge them; the rest of
 * each name says that it is simulated, and they chain to a root that nobody trusts unless told to.
 */
export const createSimulatedVendor = (options: VendorOptions): SimulatedVendor => {
  const { product, keys, nowMs, organisation = SIMULATED_ORGANISATION } = options
  const name = (commonName: string): NameSpec => ({ organisation, commonName })
  const root = {
    ...authorityDefaults(nowMs),
    serial: 0x10000,
    issuer: name(`ARK-${product}`),
    subject: name(`ARK-${product}`),
    spki: keys.root.spki,
    extensions: [keyUsage(CERT_AND_CRL_SIGN), constraints(null)],
  }
  const issueIntermediate: SimulatedVendor['issueIntermediate'] = (kind, changes) => {
    const subject = name(intermediateName(kind, product))
    const extensions = [constraints(0), keyUsage(CERT_SIGN)]
    const spec = { ...root, serial: 0x10001, subject, spki: keys.intermediate.spki, extensions, ...changes }
    return mintCertificate(spec, keys.root.privateKey)
  }
  const issueLeaf: SimulatedVendor['issueLeaf'] = (leaf, spki, changes = {}) => {
    const names = {
      issuer: name(intermediateName(leaf.kind, leaf.product)),
      subject: name(leafName(leaf.kind)),
    }
    const spec = { ...leafDefaults(leaf, nowMs), ...names, spki, ...changes }
    return mintCertificate(spec, keys.intermediate.privateKey)
  }
  const issueCrl: SimulatedVendor['issueCrl'] = (changes = {}, signedBy = keys.root.privateKey) =>
    mintCrl({ ...crlDefaults(nowMs), issuer: root.subject, ...changes }, signedBy)
  return {
    root: mintCertificate(root, keys.root.privateKey),
    intermediates: { vcek: issueIntermediate('vcek', {}), vlek: issueIntermediate('vlek', {}) },
    intermediateSpki: keys.intermediate.spki,
    issueIntermediate,
    issueLeaf,
    issueCrl,
  }
}
