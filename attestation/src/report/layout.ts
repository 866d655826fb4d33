/**
 * ATTESTATION_REPORT: where each field stands, under AMD's name. Integers are little-endian.
 * AMD 56860, SEV Secure Nested Paging Firmware ABI, table ATTESTATION_REPORT.
 */
export const LAYOUT = {
  VERSION: { offset: 0x000, size: 4 },
  GUEST_SVN: { offset: 0x004, size: 4 },
  POLICY: { offset: 0x008, size: 8 },
  FAMILY_ID: { offset: 0x010, size: 16 },
  IMAGE_ID: { offset: 0x020, size: 16 },
  VMPL: { offset: 0x030, size: 4 },
  SIGNATURE_ALGO: { offset: 0x034, size: 4 },
  CURRENT_TCB: { offset: 0x038, size: 8 },
  PLATFORM_INFO: { offset: 0x040, size: 8 },
  SIGNER_INFO: { offset: 0x048, size: 4 },
  REPORT_DATA: { offset: 0x050, size: 64 },
  MEASUREMENT: { offset: 0x090, size: 48 },
  HOST_DATA: { offset: 0x0c0, size: 32 },
  ID_KEY_DIGEST: { offset: 0x0e0, size: 48 },
  AUTHOR_KEY_DIGEST: { offset: 0x110, size: 48 },
  REPORT_ID: { offset: 0x140, size: 32 },
  REPORT_ID_MA: { offset: 0x160, size: 32 },
  REPORTED_TCB: { offset: 0x180, size: 8 },
  CPUID_FAM_ID: { offset: 0x188, size: 1 },
  CPUID_MOD_ID: { offset: 0x189, size: 1 },
  CPUID_STEP: { offset: 0x18a, size: 1 },
  CHIP_ID: { offset: 0x1a0, size: 64 },
  COMMITTED_TCB: { offset: 0x1e0, size: 8 },
  CURRENT_VERSION: { offset: 0x1e8, size: 3 },
  COMMITTED_VERSION: { offset: 0x1ec, size: 3 },
  LAUNCH_TCB: { offset: 0x1f0, size: 8 },
  LAUNCH_MIT_VECTOR: { offset: 0x1f8, size: 8 },
  CURRENT_MIT_VECTOR: { offset: 0x200, size: 8 },
  SIGNATURE: { offset: 0x2a0, size: 512 },
} as const

/** The whole report, in bytes. */
export const REPORT_BYTES = 1184

/** How many leading bytes of the report are signed. */
export const SIGNED_BYTES = 672

/** What must be zero, by version of the report. */
export const RESERVED: readonly { from: number; to: number; inVersions: readonly number[] }[] = [
  { from: 0x04c, to: 0x050, inVersions: [2, 3, 4, 5] },
  { from: 0x188, to: 0x1a0, inVersions: [2] },
  { from: 0x18b, to: 0x1a0, inVersions: [3, 4, 5] },
  { from: 0x1eb, to: 0x1ec, inVersions: [2, 3, 4, 5] },
  { from: 0x1ef, to: 0x1f0, inVersions: [2, 3, 4, 5] },
  { from: 0x1f8, to: 0x2a0, inVersions: [2, 3, 4] },
  { from: 0x208, to: 0x2a0, inVersions: [5] },
]
