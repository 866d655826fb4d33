import { createHash } from 'node:crypto'
import type { KeyPair } from './authority-keys.js'
import type { ReportFields } from './encode-report.js'
import { signatureField } from './sign-report.js'

/** The two files of an ID block, and what a report of a guest that was launched with it says. */
export type IdBlockLaunch = {
  readonly block: Uint8Array
  readonly auth: Uint8Array
  readonly fields: Partial<ReportFields>
}

/** What the guest's owner demands of the launch. */
export type Demand = {
  readonly measurement: Uint8Array
  readonly familyId: Uint8Array
  readonly imageId: Uint8Array
  readonly guestSvn: number
  readonly policy: bigint
}

const POINT_AT = 24
const COORDINATE_BYTES = 48
const AUTHOR_KEY_EN = 1

// AMD 56860, ECDSA public key: curve 2 is P-384, then x and y, little-endian, 72 bytes each.
const amdKey = ({ spki }: KeyPair): Uint8Array => {
  const key = new Uint8Array(0x404)
  key[0] = 2
  const point = spki.subarray(POINT_AT)
  key.set(point.slice(0, COORDINATE_BYTES).reverse(), 4)
  key.set(point.slice(COORDINATE_BYTES).reverse(), 76)
  return key
}

const encodeBlock = (demand: Demand): Uint8Array => {
  const block = new Uint8Array(96)
  block.set(demand.measurement)
  block.set(demand.familyId, 0x30)
  block.set(demand.imageId, 0x40)
  const view = new DataView(block.buffer)
  view.setUint32(0x50, 1, true)
  view.setUint32(0x54, demand.guestSvn, true)
  view.setBigUint64(0x58, demand.policy, true)
  return block
}

const encodeAuth = (block: Uint8Array, idKey: KeyPair, authorKey: KeyPair | null): Uint8Array => {
  const auth = new Uint8Array(4096)
  auth[0] = 1
  auth.set(signatureField(block, idKey.privateKey), 0x40)
  auth.set(amdKey(idKey), 0x240)
  if (authorKey === null) return auth
  auth[4] = 1
  auth.set(signatureField(amdKey(idKey), authorKey.privateKey), 0x680)
  auth.set(amdKey(authorKey), 0x880)
  return auth
}

const digest = (key: KeyPair | null): Uint8Array =>
  key === null
    ? new Uint8Array(COORDINATE_BYTES)
    : new Uint8Array(createHash('sha384').update(amdKey(key)).digest())

/** Signs an ID block as a guest's owner does (AMD 56860, SNP_LAUNCH_FINISH), with an author key or without one. */
export const launchWithIdBlock = (
  demand: Demand,
  idKey: KeyPair,
  authorKey: KeyPair | null = null,
): IdBlockLaunch => {
  const block = encodeBlock(demand)
  return {
    block,
    auth: encodeAuth(block, idKey, authorKey),
    fields: {
      ...demand,
      idKeyDigest: digest(idKey),
      authorKeyDigest: digest(authorKey),
      signerInfo: authorKey === null ? 0 : AUTHOR_KEY_EN,
    },
  }
}
