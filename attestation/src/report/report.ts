import type { Cpuid } from '../product.js'
import type { GuestPolicy } from './guest-policy.js'
import type { PlatformInfo } from './platform-info.js'
import type { SignerInfo } from './signer-info.js'

/** Firmware version. */
export type FirmwareVersion = { readonly major: number; readonly minor: number; readonly build: number }

/**
 * A well-formed ATTESTATION_REPORT whose signature nobody has looked at. Members bear AMD's names; byte strings
 * keep AMD's byte order. A TCB is eight bytes whose meaning depends on the product line.
 */
export type Report = {
  readonly version: number
  readonly guest_svn: number
  readonly policy: GuestPolicy
  readonly family_id: Uint8Array
  readonly image_id: Uint8Array
  /** 0 to 3, or VMPL_OF_HOST. */
  readonly vmpl: number
  readonly signature_algo: number
  readonly current_tcb: Uint8Array
  readonly platform_info: PlatformInfo
  readonly signer_info: SignerInfo
  readonly report_data: Uint8Array
  readonly measurement: Uint8Array
  readonly host_data: Uint8Array
  readonly id_key_digest: Uint8Array
  readonly author_key_digest: Uint8Array
  readonly report_id: Uint8Array
  readonly report_id_ma: Uint8Array
  readonly reported_tcb: Uint8Array
  /** Null in version 2. */
  readonly cpuid: Cpuid | null
  readonly chip_id: Uint8Array
  readonly committed_tcb: Uint8Array
  readonly current_version: FirmwareVersion
  readonly committed_version: FirmwareVersion
  readonly launch_tcb: Uint8Array
  /** Null before version 5. */
  readonly launch_mit_vector: bigint | null
  /** Null before version 5. */
  readonly current_mit_vector: bigint | null
  /** The 672 bytes that the signature covers. */
  readonly signed_bytes: Uint8Array
  /** The SIGNATURE field, 512 bytes, unjudged. */
  readonly signature: Uint8Array
}

/** The VMPL of a report that the host asked for (SNP_HV_REPORT_REQ): its REPORT_DATA was not chosen by the guest. */
export const VMPL_OF_HOST = 0xffffffff
