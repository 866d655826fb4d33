import { isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { parseGuestPolicy } from './guest-policy.js'
import { LAYOUT, REPORT_BYTES, RESERVED, SIGNED_BYTES } from './layout.js'
import { parsePlatformInfo } from './platform-info.js'
import { type FirmwareVersion, type Report, VMPL_OF_HOST } from './report.js'
import { parseSignerInfo } from './signer-info.js'

type Field = { readonly offset: number; readonly size: number }

const ECDSA_P384_WITH_SHA384 = 1
const HIGHEST_VMPL = 3
const FIRST_WITH_CPUID = 3
const FIRST_WITH_MITIGATIONS = 5

const malformed = (what: string): AttestationError => new AttestationError('report_malformed', what)

const checkVersion = (version: number): void => {
  if (version < 2) throw malformed(`report version ${version} precedes the released firmware`)
  if (version > 5) throw new AttestationError('report_version_unsupported', `report version ${version}`)
}

const checkReserved = (bytes: Uint8Array, version: number): void => {
  for (const { from, to, inVersions } of RESERVED) {
    if (inVersions.includes(version) && !isZero(bytes, from, to)) {
      throw malformed(`reserved bytes from 0x${from.toString(16)} are not zero in version ${version}`)
    }
  }
}

const checkEnumerations = (vmpl: number, signatureAlgo: number): void => {
  if (vmpl > HIGHEST_VMPL && vmpl !== VMPL_OF_HOST)
    throw malformed('VMPL is neither 0 to 3 nor that of the host')
  if (signatureAlgo !== ECDSA_P384_WITH_SHA384) throw malformed(`SIGNATURE_ALGO is ${signatureAlgo}`)
}

const reader = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    u8: ({ offset }: Field): number => view.getUint8(offset),
    u32: ({ offset }: Field): number => view.getUint32(offset, true),
    u64: ({ offset }: Field): bigint => view.getBigUint64(offset, true),
    bytes: ({ offset, size }: Field): Uint8Array => bytes.subarray(offset, offset + size),
    // The three bytes stand as build, minor, major.
    firmware: ({ offset }: Field): FirmwareVersion => ({
      major: view.getUint8(offset + 2),
      minor: view.getUint8(offset + 1),
      build: view.getUint8(offset),
    }),
  }
}

/** What version bytes that may be a report claim to have, or null where they are too few. */
export const peekVersion = (bytes: Uint8Array): number | null =>
  bytes.length < LAYOUT.VERSION.size ? null : reader(bytes).u32(LAYOUT.VERSION)

/**
 * A report from its bytes. Reserved fields must be as its version reserves them. The signature is kept, not judged.
 * @param input exactly 1184 bytes; copied, so that a later change of the buffer changes nothing
 * @throws AttestationError report_malformed, report_version_unsupported
 * @see AMD 56860, ATTESTATION_REPORT
 */
export const parseReport = (input: Uint8Array): Report => {
  if (input.length !== REPORT_BYTES)
    throw malformed(`a report has ${REPORT_BYTES} bytes, not ${input.length}`)
  const bytes = new Uint8Array(input)
  const read = reader(bytes)
  const version = read.u32(LAYOUT.VERSION)
  checkVersion(version)
  checkReserved(bytes, version)
  checkEnumerations(read.u32(LAYOUT.VMPL), read.u32(LAYOUT.SIGNATURE_ALGO))
  return fields(bytes, read, version)
}

const fields = (bytes: Uint8Array, read: ReturnType<typeof reader>, version: number): Report => ({
  version,
  guest_svn: read.u32(LAYOUT.GUEST_SVN),
  policy: parseGuestPolicy(read.u64(LAYOUT.POLICY)),
  family_id: read.bytes(LAYOUT.FAMILY_ID),
  image_id: read.bytes(LAYOUT.IMAGE_ID),
  vmpl: read.u32(LAYOUT.VMPL),
  signature_algo: read.u32(LAYOUT.SIGNATURE_ALGO),
  current_tcb: read.bytes(LAYOUT.CURRENT_TCB),
  platform_info: parsePlatformInfo(read.u64(LAYOUT.PLATFORM_INFO)),
  signer_info: parseSignerInfo(read.u32(LAYOUT.SIGNER_INFO)),
  report_data: read.bytes(LAYOUT.REPORT_DATA),
  measurement: read.bytes(LAYOUT.MEASUREMENT),
  host_data: read.bytes(LAYOUT.HOST_DATA),
  id_key_digest: read.bytes(LAYOUT.ID_KEY_DIGEST),
  author_key_digest: read.bytes(LAYOUT.AUTHOR_KEY_DIGEST),
  report_id: read.bytes(LAYOUT.REPORT_ID),
  report_id_ma: read.bytes(LAYOUT.REPORT_ID_MA),
  reported_tcb: read.bytes(LAYOUT.REPORTED_TCB),
  // In version 2 these bytes are reserved: a product read from them would be an invention.
  cpuid:
    version < FIRST_WITH_CPUID
      ? null
      : {
          family: read.u8(LAYOUT.CPUID_FAM_ID),
          model: read.u8(LAYOUT.CPUID_MOD_ID),
          stepping: read.u8(LAYOUT.CPUID_STEP),
        },
  chip_id: read.bytes(LAYOUT.CHIP_ID),
  committed_tcb: read.bytes(LAYOUT.COMMITTED_TCB),
  current_version: read.firmware(LAYOUT.CURRENT_VERSION),
  committed_version: read.firmware(LAYOUT.COMMITTED_VERSION),
  launch_tcb: read.bytes(LAYOUT.LAUNCH_TCB),
  launch_mit_vector: version < FIRST_WITH_MITIGATIONS ? null : read.u64(LAYOUT.LAUNCH_MIT_VECTOR),
  current_mit_vector: version < FIRST_WITH_MITIGATIONS ? null : read.u64(LAYOUT.CURRENT_MIT_VECTOR),
  signed_bytes: bytes.subarray(0, SIGNED_BYTES),
  signature: read.bytes(LAYOUT.SIGNATURE),
})
