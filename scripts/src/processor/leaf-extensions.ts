import type { ProductLine, SigningKey } from '@parley/attestation'
import * as asn1js from 'asn1js'
import type { ExtensionSpec } from './mint-certificate.js'
import { PROFILES } from './product-profile.js'

/** What a leaf is made for. */
export type LeafSubject = {
  readonly product: ProductLine
  readonly kind: SigningKey
  /** TCB_VERSION that the leaf's key is derived with, eight bytes. */
  readonly tcb: Uint8Array
  /** Hardware id, for a VCEK. */
  readonly hwID: Uint8Array
  /** Provider, for a VLEK. */
  readonly cspID: string
}

const ARC = '1.3.6.1.4.1.3704.1'

const integer = (value: number): Uint8Array => new Uint8Array(new asn1js.Integer({ value }).toBER())
const ia5 = (value: string): Uint8Array => new Uint8Array(new asn1js.IA5String({ value }).toBER())

/** AMD's extensions of a leaf, as AMD encodes them: integers, IA5Strings, and the hardware id as bare bytes. */
export const leafExtensions = ({ product, kind, tcb, hwID, cspID }: LeafSubject): ExtensionSpec[] => {
  const profile = PROFILES[product]
  return [
    { oid: `${ARC}.1`, value: integer(profile.structVersion) },
    { oid: `${ARC}.2`, value: ia5(kind === 'vcek' ? profile.vcekProductName : product) },
    ...profile.splArcs.map((arc, at) => ({ oid: `${ARC}.3.${arc}`, value: integer(tcb[at] ?? 0) })),
    kind === 'vcek' ? { oid: `${ARC}.4`, value: hwID } : { oid: `${ARC}.5`, value: ia5(cspID) },
  ]
}
