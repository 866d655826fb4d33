import { isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'

/** ID block: what the guest's owner signed, and firmware compares with the launch. */
export type IdBlock = {
  readonly measurement: Uint8Array
  readonly family_id: Uint8Array
  readonly image_id: Uint8Array
  readonly guest_svn: number
  /** POLICY, raw. */
  readonly policy: bigint
  readonly signed_bytes: Uint8Array
}

/** ID authentication information: who signed the ID block, and who certified that key. Keys are in AMD's form. */
export type IdAuth = {
  /** SIGNATURE of the ID block by the ID key, 512 bytes. */
  readonly block_signature: Uint8Array
  readonly id_key: Uint8Array
  /** SIGNATURE of the ID key by the author key, 512 bytes; zeros where there is no author key. */
  readonly key_signature: Uint8Array
  readonly author_key: Uint8Array
  readonly author_key_algo: number
}

// Sizes in bytes (AMD 56860, SNP_LAUNCH_FINISH: ID block, ID authentication information structure).
const ID_BLOCK_BYTES = 96
const ID_AUTH_BYTES = 4096

const VERSION = 1
const ECDSA_P384_WITH_SHA384 = 1

const malformed = (what: string): AttestationError => new AttestationError('id_block_malformed', what)

const checkSize = (bytes: Uint8Array, size: number, name: string): void => {
  if (bytes.length !== size) throw malformed(`${name} has ${size} bytes, not ${bytes.length}`)
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** @throws AttestationError id_block_malformed */
export const parseIdBlock = (bytes: Uint8Array): IdBlock => {
  checkSize(bytes, ID_BLOCK_BYTES, 'an ID block')
  const view = viewOf(bytes)
  const version = view.getUint32(0x50, true)
  if (version !== VERSION) throw malformed(`an ID block of version ${version}`)
  return {
    measurement: bytes.subarray(0, 0x30),
    family_id: bytes.subarray(0x30, 0x40),
    image_id: bytes.subarray(0x40, 0x50),
    guest_svn: view.getUint32(0x54, true),
    policy: view.getBigUint64(0x58, true),
    signed_bytes: bytes,
  }
}

// What no field stands in, from and to.
const RESERVED = [
  [0x008, 0x040],
  [0x644, 0x680],
  [0xc84, 0x1000],
] as const

/** @throws AttestationError id_block_malformed */
export const parseIdAuth = (bytes: Uint8Array): IdAuth => {
  checkSize(bytes, ID_AUTH_BYTES, 'ID authentication information')
  const view = viewOf(bytes)
  const algorithm = view.getUint32(0, true)
  if (algorithm !== ECDSA_P384_WITH_SHA384) throw malformed(`ID_KEY_ALGO is ${algorithm}`)
  const unset = RESERVED.every(([from, to]) => isZero(bytes, from, to))
  if (!unset) throw malformed('a reserved byte of the ID authentication information is set')
  return {
    author_key_algo: view.getUint32(4, true),
    block_signature: bytes.subarray(0x040, 0x240),
    id_key: bytes.subarray(0x240, 0x644),
    key_signature: bytes.subarray(0x680, 0x880),
    author_key: bytes.subarray(0x880, 0xc84),
  }
}
