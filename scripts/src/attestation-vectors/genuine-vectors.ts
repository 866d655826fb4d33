import type { SimulatedProcessor } from '../processor/index.js'
import { toPem } from './encodings.js'
import { DAY_MS, evidence, genuine, type Kit, NOW_MS, REPORT_DATA, signedAnyway, withLeaf } from './kit.js'
import type { Vector } from './vector.js'

const R_TOP_BYTE = 0x2a0 + 47
const S_TOP_BYTE = 0x2a0 + 72 + 47

// Signing is random: repeated until the signature looks as wanted.
const until = (chip: SimulatedProcessor, wanted: (report: Uint8Array) => boolean): Uint8Array => {
  for (;;) {
    const report = chip.attest({ reportData: REPORT_DATA })
    if (wanted(report)) return report
  }
}

const versions = ({ milan, milanVlek, genoa, turin, turinVlek }: Kit): Vector[] => [
  genuine(
    'milan-v2-vcek',
    'Version 2: no CPUID, so the product line is that of the leaf.',
    evidence(milan, { version: 2 }),
  ),
  genuine('milan-v3-vcek', 'Version 3: CPUID tells the product line.', evidence(milan, { version: 3 })),
  genuine('milan-v4-vcek', 'Version 4 has the layout of version 3.', evidence(milan, { version: 4 })),
  genuine('milan-v5-vcek', 'Version 5: mitigation vectors.', evidence(milan, { version: 5 })),
  genuine(
    'milan-v2-vlek',
    'A VLEK signs for a provider; CHIP_ID is zero.',
    evidence(milanVlek, { version: 2 }),
  ),
  genuine(
    'milan-v3-vlek',
    'A VLEK signs for a provider; CHIP_ID is zero.',
    evidence(milanVlek, { version: 3 }),
  ),
  genuine('genoa-v3-vcek', 'Genoa.', evidence(genoa, { version: 3 })),
  genuine('genoa-v5-vcek', 'Genoa.', evidence(genoa, { version: 5 })),
  genuine(
    'bergamo-v5-vcek',
    'Bergamo and Siena (model A0h) are signed as Genoa.',
    evidence(genoa, { cpuid: [0x19, 0xa0, 2] }),
  ),
  genuine('turin-v3-vcek', 'Turin: FMC in the TCB, hardware id of 8 bytes.', evidence(turin, { version: 3 })),
  genuine('turin-v5-vcek', 'Turin: FMC in the TCB, hardware id of 8 bytes.', evidence(turin)),
  genuine('turin-v5-vlek', 'Turin, signed for a provider.', evidence(turinVlek)),
]

const signatures = ({ milan }: Kit): Vector[] => {
  const base = evidence(milan)
  const high = until(milan, (report) => (report[S_TOP_BYTE] ?? 0) >= 0x80)
  const low = until(milan, (report) => (report[S_TOP_BYTE] ?? 0xff) < 0x7f)
  const short = until(milan, (report) => report[R_TOP_BYTE] === 0)
  return [
    genuine('signature-high-s', 'AMD does not lower s: half of all genuine reports have a high one.', {
      ...base,
      'report.bin': high,
    }),
    genuine('signature-low-s', 'A low s.', { ...base, 'report.bin': low }),
    genuine('signature-short-r', 'An r whose highest byte is zero is still 48 bytes.', {
      ...base,
      'report.bin': short,
    }),
  ]
}

const wrapped = (hwID: Uint8Array): Uint8Array => Uint8Array.of(0x04, hwID.length, ...hwID)

const collateral = ({ milan, genoa, turin }: Kit): Vector[] => {
  const base = evidence(milan)
  const reissued = (start: number, end: number): Uint8Array =>
    milan.vendor.issueLeaf(milan.leafSubject, milan.leafSpki, {
      notBeforeMs: NOW_MS + start * DAY_MS,
      notAfterMs: NOW_MS + end * DAY_MS,
    })
  const older = milan.vendor.issueLeaf(
    { ...milan.leafSubject, tcb: Uint8Array.of(3, 0, 0, 0, 0, 0, 8, 115) },
    milan.leafSpki,
  )
  const bundle = toPem(milan.certificates)
  return [
    genuine(
      'pem-bundle',
      'All certificates in one PEM file.',
      { 'report.bin': milan.attest({ reportData: REPORT_DATA }), 'chain.pem': bundle },
      { trustedRoots: ['chain.pem'] },
    ),
    genuine(
      'hwid-wrapped',
      'For a while AMD wrapped hwID as an OCTET STRING.',
      withLeaf(milan, { hwID: wrapped(milan.leafSubject.hwID) }),
    ),
    genuine(
      'hwid-wrapped-turin',
      'The same with 8 bytes.',
      withLeaf(turin, { hwID: wrapped(turin.leafSubject.hwID) }),
    ),
    genuine(
      'leaf-with-trailer-field',
      'Older leaves write trailerField, a default that DER leaves out.',
      withLeaf(milan, {}, { writesTrailerField: true }),
    ),
    genuine('leaf-reissued', 'Three leaves of one key with other dates: the one counts that is valid now.', {
      ...base,
      'vcek.der': reissued(-2, 90),
      'vcek-old.der': reissued(-90, -2),
      'vcek-new.der': reissued(2, 90),
    }),
    genuine('leaf-of-older-tcb', 'The leaf of an older TCB lies beside the right one.', {
      ...base,
      'a-vcek-older.der': older,
    }),
    genuine('leaf-of-other-chip', 'The leaf of another chip lies beside the right one.', {
      ...base,
      'a-vcek-other.der': genoa.vendor.issueLeaf(genoa.leafSubject, genoa.leafSpki),
    }),
  ]
}

// Genuine, and still nothing that a policy would take: these are for appraisal.
const odd = ({ milan }: Kit): Vector[] => [
  genuine('policy-debug', 'The host can debug this guest.', evidence(milan, { policy: 0xb0000n })),
  genuine('policy-migrate-ma', 'This guest can be migrated.', evidence(milan, { policy: 0x70000n })),
  genuine(
    'vmpl-host',
    'The host asked for this report, with REPORT_DATA of its own.',
    evidence(milan, { vmpl: 0xffffffff }),
  ),
  genuine('vmpl-2', 'From privilege level 2.', evidence(milan, { vmpl: 2 })),
  genuine(
    'platform-info-unknown-bit',
    'A bit of PLATFORM_INFO that has no name is no reason to refuse a report.',
    evidence(milan, { platformInfo: 0x65n }),
  ),
  genuine(
    'firmware-provisional',
    'The running firmware is newer than the committed one.',
    evidence(milan, { currentTcb: Uint8Array.of(4, 0, 0, 0, 0, 0, 25, 219), currentVersion: [41, 55, 1] }),
  ),
  genuine(
    'launch-tcb-above-committed',
    'After a migration LAUNCH_TCB can exceed COMMITTED_TCB.',
    evidence(milan, { launchTcb: Uint8Array.of(4, 0, 0, 0, 0, 0, 25, 220) }),
  ),
  genuine(
    'identities-set',
    'Family, image, host data, key digests and guest SVN are set.',
    evidence(milan, {
      familyId: new Uint8Array(16).fill(0xf1),
      imageId: new Uint8Array(16).fill(0x1a),
      hostData: new Uint8Array(32).fill(0x40),
      idKeyDigest: new Uint8Array(48).fill(0x1d),
      authorKeyDigest: new Uint8Array(48).fill(0xa0),
      guestSvn: 7,
      signerInfo: 1,
    }),
  ),
  genuine(
    'mask-chip-key-bit',
    'MASK_CHIP_KEY is set and the report signed all the same: the signature decides.',
    signedAnyway(milan, 0x48, [2]),
  ),
]

/** Evidence that is genuine. */
export const genuineVectors = (kit: Kit): Vector[] => [
  ...versions(kit),
  ...signatures(kit),
  ...collateral(kit),
  ...odd(kit),
]
