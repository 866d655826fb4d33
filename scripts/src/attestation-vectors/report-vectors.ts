import { evidence, flipped, type Kit, patched, refused, signedAnyway } from './kit.js'
import type { Files, Vector } from './vector.js'

const withReport = (files: Files, change: (report: Uint8Array) => Uint8Array): Files => ({
  ...files,
  'report.bin': change(files['report.bin'] ?? new Uint8Array()),
})

const sizes = ({ milan }: Kit): Vector[] => [
  refused(
    'report_malformed',
    'report-short',
    'One byte short.',
    withReport(evidence(milan), (report) => report.subarray(0, 1183)),
  ),
  refused(
    'report_malformed',
    'report-trailing-byte',
    'One byte too many.',
    withReport(evidence(milan), (report) => Buffer.concat([report, Uint8Array.of(0)])),
  ),
  refused(
    'report_malformed',
    'report-empty',
    'Nothing.',
    withReport(evidence(milan), () => new Uint8Array()),
  ),
]

const versions = ({ milan }: Kit): Vector[] => [
  refused(
    'report_malformed',
    'report-version-0',
    'No firmware writes version 0.',
    signedAnyway(milan, 0, [0]),
  ),
  refused(
    'report_malformed',
    'report-version-1',
    'Version 1 precedes the released firmware.',
    signedAnyway(milan, 0, [1]),
  ),
  refused(
    'report_version_unsupported',
    'report-version-6',
    'What a newer version means is unknown.',
    signedAnyway(milan, 0, [6]),
  ),
  refused(
    'report_version_unsupported',
    'report-version-high-byte',
    'Version is four bytes.',
    signedAnyway(milan, 3, [1]),
  ),
]

const reserved = ({ milan, turin }: Kit): Vector[] => [
  refused(
    'report_malformed',
    'reserved-after-signer-info',
    'Bytes 0x4C to 0x4F are reserved.',
    signedAnyway(milan, 0x4c, [1]),
  ),
  refused(
    'report_malformed',
    'reserved-cpuid-in-v2',
    'Version 2 has no CPUID: its bytes are reserved.',
    signedAnyway(milan, 0x188, [0x19, 1], { version: 2 }),
  ),
  refused(
    'report_malformed',
    'reserved-after-cpuid',
    'Bytes 0x18B to 0x19F are reserved.',
    signedAnyway(milan, 0x19f, [1]),
  ),
  refused(
    'report_malformed',
    'reserved-after-current-version',
    'Byte 0x1EB is reserved.',
    signedAnyway(milan, 0x1eb, [1]),
  ),
  refused(
    'report_malformed',
    'reserved-after-committed-version',
    'Byte 0x1EF is reserved.',
    signedAnyway(milan, 0x1ef, [1]),
  ),
  refused(
    'report_malformed',
    'reserved-mitigations-in-v4',
    'Before version 5 there are no mitigation vectors.',
    signedAnyway(milan, 0x1f8, [1], { version: 4 }),
  ),
  refused(
    'report_malformed',
    'reserved-tail-in-v5',
    'Bytes 0x208 to 0x29F are reserved.',
    signedAnyway(turin, 0x29f, [1]),
  ),
  refused(
    'report_malformed',
    'policy-bit-17-clear',
    'Bit 17 of POLICY is one.',
    evidence(milan, { policy: 0x10000n }),
  ),
  refused(
    'report_malformed',
    'policy-bit-26-set',
    'Bits 26 and up of POLICY are zero.',
    evidence(milan, { policy: 0x4030000n }),
  ),
  refused(
    'report_malformed',
    'signer-info-bit-5-set',
    'Bits 5 and up of SIGNER_INFO are zero.',
    evidence(milan, { signerInfo: 0x20 }),
  ),
  refused('report_malformed', 'vmpl-4', 'VMPL is 0 to 3, or that of the host.', evidence(milan, { vmpl: 4 })),
  refused(
    'report_malformed',
    'signature-algo-2',
    'ECDSA P-384 with SHA-384 is the one algorithm.',
    evidence(milan, { signatureAlgo: 2 }),
  ),
  refused(
    'report_malformed',
    'tcb-reserved-byte',
    'A reserved byte of CURRENT_TCB is set.',
    evidence(milan, { currentTcb: Uint8Array.of(4, 0, 1, 0, 0, 0, 24, 219) }),
  ),
]

const SIGNATURE_AT = 0x2a0
const S_AT = SIGNATURE_AT + 72
const ORDER = Buffer.from(
  'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
  'hex',
).reverse()

const invalid = (kit: Kit, name: string, why: string, change: (report: Uint8Array) => Uint8Array): Vector =>
  refused('report_signature_invalid', name, why, withReport(evidence(kit.milan), change))

const signatures = (kit: Kit): Vector[] => [
  invalid(kit, 'flipped-guest-svn', 'A bit of GUEST_SVN was turned.', (report) => flipped(report, 0x004)),
  invalid(kit, 'flipped-report-data', 'A bit of REPORT_DATA was turned.', (report) => flipped(report, 0x050)),
  invalid(kit, 'flipped-measurement', 'A bit of MEASUREMENT was turned.', (report) => flipped(report, 0x090)),
  invalid(kit, 'flipped-chip-id', 'A bit of CHIP_ID was turned.', (report) => flipped(report, 0x1a0)),
  invalid(kit, 'flipped-r', 'A bit of r was turned.', (report) => flipped(report, SIGNATURE_AT)),
  invalid(kit, 'flipped-s', 'A bit of s was turned.', (report) => flipped(report, S_AT)),
  invalid(kit, 'r-zero', 'r is zero.', (report) => patched(report, SIGNATURE_AT, new Uint8Array(72))),
  invalid(kit, 's-zero', 's is zero.', (report) => patched(report, S_AT, new Uint8Array(72))),
  invalid(
    kit,
    'signature-zero',
    'Firmware that masks its key writes zeros: that is no signature.',
    (report) => patched(report, SIGNATURE_AT, new Uint8Array(144)),
  ),
  invalid(kit, 'r-is-order', 'r is the order of the curve.', (report) =>
    patched(report, SIGNATURE_AT, ORDER),
  ),
  invalid(kit, 's-is-order', 's is the order of the curve.', (report) => patched(report, S_AT, ORDER)),
  invalid(kit, 'r-all-ones', 'r is above the order of the curve.', (report) =>
    patched(report, SIGNATURE_AT, new Uint8Array(48).fill(0xff)),
  ),
  invalid(kit, 'r-long', 'A byte behind the 48 of r is set (0x2D2).', (report) =>
    patched(report, 0x2d2, [1]),
  ),
  invalid(kit, 's-long', 'A byte behind the 48 of s is set.', (report) => patched(report, S_AT + 71, [1])),
  invalid(kit, 'signature-tail', 'A byte behind r and s is set (0x332).', (report) =>
    patched(report, 0x332, [1]),
  ),
  invalid(kit, 'signature-last-byte', 'The last byte of the report is set.', (report) =>
    patched(report, 0x49f, [1]),
  ),
  invalid(kit, 'signature-of-other-report', 'The signature of another report of the same chip.', (report) =>
    patched(report, SIGNATURE_AT, kit.milan.attest({ guestSvn: 1 }).subarray(SIGNATURE_AT)),
  ),
  invalid(kit, 'signature-of-other-chip', 'The signature of another chip.', (report) =>
    patched(report, SIGNATURE_AT, kit.genoa.sign(report.subarray(0, SIGNATURE_AT)).subarray(SIGNATURE_AT)),
  ),
]

/** Reports that are malformed, or that nobody signed. */
export const reportVectors = (kit: Kit): Vector[] => [
  ...sizes(kit),
  ...versions(kit),
  ...reserved(kit),
  ...signatures(kit),
]
