import type { AttestationErrorCode } from '@parley/attestation'
import { type ExtensionSpec, leafExtensions, type SimulatedProcessor } from '../processor/index.js'
import { chainOf, evidence, type Kit, refused, simulatedName, withLeaf } from './kit.js'
import type { Files, Vector } from './vector.js'

const ARC = '1.3.6.1.4.1.3704.1'

/** Evidence whose leaf has other extensions than its vendor would write. */
export const withExtensions = (
  chip: SimulatedProcessor,
  change: (extensions: ExtensionSpec[]) => ExtensionSpec[],
): Files => withLeaf(chip, {}, { extensions: change(leafExtensions(chip.leafSubject)) })

const less = (chip: SimulatedProcessor, arc: string): Files =>
  withExtensions(chip, (extensions) => extensions.filter(({ oid }) => oid !== `${ARC}.${arc}`))

/** One extension of AMD's more, by the end of its identifier. */
export const more = (chip: SimulatedProcessor, arc: string, value: readonly number[]): Files =>
  withExtensions(chip, (extensions) => [
    ...extensions,
    { oid: `${ARC}.${arc}`, value: Uint8Array.from(value) },
  ])

/** Another value in one of AMD's extensions. */
export const other = (chip: SimulatedProcessor, arc: string, value: readonly number[]): Files =>
  withExtensions(chip, (extensions) =>
    extensions.map((extension) =>
      extension.oid === `${ARC}.${arc}` ? { ...extension, value: Uint8Array.from(value) } : extension,
    ),
  )

const kinds = ({ milan, milanVlek }: Kit): Vector[] => {
  const wrong = (name: string, why: string, files: Files): Vector =>
    refused('leaf_kind_mismatch', name, why, files)
  return [
    wrong(
      'kind-vlek-report-vcek-leaf',
      'SIGNER_INFO says VLEK, and there is a VCEK.',
      evidence(milan, { signerInfo: 4 }),
    ),
    wrong(
      'kind-vcek-report-vlek-leaf',
      'SIGNER_INFO says VCEK, and there is a VLEK.',
      evidence(milanVlek, { signerInfo: 0 }),
    ),
    wrong('kind-vcek-of-asvk', 'A VCEK that the authority for VLEKs issued.', {
      ...withLeaf(milan, {}, { issuer: simulatedName('SEV-VLEK-Milan') }),
      'asvk.der': milan.vendor.intermediates.vlek,
    }),
    wrong('kind-vlek-of-ask', 'A VLEK that the authority for VCEKs issued.', {
      ...withLeaf(milanVlek, {}, { issuer: simulatedName('SEV-Milan') }),
      'ask.der': milan.vendor.intermediates.vcek,
    }),
    wrong('kind-vcek-with-csp-id', 'A VCEK that names a provider.', more(milan, '5', [0x16, 1, 0x41])),
    wrong('kind-vcek-without-hwid', 'A VCEK that names no chip.', less(milan, '4')),
    wrong(
      'kind-vlek-with-hwid',
      'A VLEK that names a chip.',
      more(milanVlek, '4', Array.from(milan.leafSubject.hwID)),
    ),
    wrong('kind-vlek-without-csp-id', 'A VLEK that names no provider.', less(milanVlek, '5')),
    refused(
      'signing_key_unsupported',
      'signing-key-none',
      'SIGNER_INFO says that no key signed.',
      evidence(milan, { signerInfo: 7 << 2 }),
    ),
    ...[2, 3, 4, 5, 6].map((kind) =>
      refused(
        'signing_key_unsupported',
        `signing-key-${kind}`,
        'SIGNER_INFO has a reserved value.',
        evidence(milan, { signerInfo: kind << 2 }),
      ),
    ),
  ]
}

const PARTS_OF_MILAN = { bootloader: 0, tee: 1, snp: 6, microcode: 7 }
const PARTS_OF_TURIN = { fmc: 0, bootloader: 1, tee: 2, snp: 3, microcode: 7 }

const tcbOff = (chip: SimulatedProcessor, name: string, parts: Readonly<Record<string, number>>): Vector[] =>
  Object.entries(parts).map(([part, at]) => {
    const tcb = chip.leafSubject.tcb.map((value, index) => (index === at ? value + 1 : value))
    return refused(
      'tcb_mismatch',
      `tcb-${name}-${part}`,
      `The leaf has another ${part} than REPORTED_TCB.`,
      withLeaf(chip, { tcb }),
    )
  })

const tcbs = ({ milan, turin }: Kit): Vector[] => [
  ...tcbOff(milan, 'milan', PARTS_OF_MILAN),
  ...tcbOff(turin, 'turin', PARTS_OF_TURIN),
  refused(
    'tcb_mismatch',
    'tcb-reported-not-current',
    'The leaf is of CURRENT_TCB; REPORTED_TCB counts.',
    evidence(milan, { reportedTcb: Uint8Array.of(3, 0, 0, 0, 0, 0, 8, 115) }),
  ),
]

const chips = ({ milan, genoa, turin }: Kit): Vector[] => {
  const wrong = (name: string, why: string, files: Files): Vector =>
    refused('chip_id_mismatch', name, why, files)
  const { hwID } = turin.leafSubject
  return [
    wrong('chip-id-other', 'The VCEK is of another chip.', withLeaf(milan, { hwID: genoa.leafSubject.hwID })),
    wrong(
      'chip-id-last-byte',
      'The last byte of the hardware id differs.',
      withLeaf(milan, { hwID: milan.leafSubject.hwID.map((byte, at) => (at === 63 ? byte ^ 1 : byte)) }),
    ),
    wrong(
      'chip-id-masked',
      'CHIP_ID is masked, so nothing binds the VCEK to it.',
      evidence(milan, { chipId: new Uint8Array(64) }),
    ),
    wrong('chip-id-masked-hwid-zero', 'Zeros are no hardware id.', {
      ...withLeaf(milan, { hwID: new Uint8Array(64) }),
      'report.bin': milan.attest({ chipId: new Uint8Array(64) }),
    }),
    wrong(
      'chip-id-turin-tail',
      'On Turin CHIP_ID is zero after its first 8 bytes.',
      evidence(turin, { chipId: Uint8Array.from({ length: 64 }, (_, at) => hwID[at] ?? 1) }),
    ),
    wrong(
      'chip-id-turin-64',
      'On Turin a hardware id has 8 bytes.',
      withLeaf(turin, { hwID: Uint8Array.from({ length: 64 }, (_, at) => hwID[at] ?? 0) }),
    ),
    wrong(
      'chip-id-milan-8',
      'On Milan a hardware id has 64 bytes.',
      withLeaf(milan, { hwID: milan.leafSubject.hwID.subarray(0, 8) }),
    ),
  ]
}

const malformed = ({ milan, milanVlek, turin }: Kit): Vector[] => {
  const wrong = (
    name: string,
    why: string,
    files: Files,
    code: AttestationErrorCode = 'certificate_malformed',
  ): Vector => refused(code, name, why, files)
  return [
    ...['1', '2', '3.1', '3.2', '3.3', '3.4', '3.5', '3.8'].map((arc) =>
      wrong(
        `leaf-without-${arc}`,
        'A missing extension is an error: a skipped comparison is none.',
        less(milan, arc),
      ),
    ),
    wrong('leaf-turin-without-fmc', 'A Turin leaf counts its FMC.', less(turin, '3.9')),
    wrong('leaf-turin-with-spl4', 'A Turin leaf has no fourth SPL.', more(turin, '3.4', [2, 1, 0])),
    wrong('leaf-milan-with-fmc', 'A Milan leaf has no FMC.', more(milan, '3.9', [2, 1, 0])),
    wrong('leaf-duplicate-spl', 'An extension twice: which one would count?', more(milan, '3.3', [2, 1, 24])),
    wrong(
      'leaf-duplicate-hwid',
      'A second hardware id.',
      more(milan, '4', Array.from(milan.leafSubject.hwID)),
    ),
    wrong(
      'leaf-unknown-amd-extension',
      'A part that AMD may count one day must not go uncompared.',
      more(milan, '3.10', [2, 1, 0]),
    ),
    wrong('leaf-spl-negative', 'A security version is not negative.', other(milan, '3.8', [2, 1, 0xdb])),
    wrong('leaf-spl-not-minimal', 'An INTEGER is minimal.', other(milan, '3.3', [2, 2, 0, 24])),
    wrong('leaf-spl-huge', 'A security version is one byte.', other(milan, '3.3', [2, 3, 1, 0, 24])),
    wrong('leaf-spl-as-octets', 'A security version is an INTEGER.', other(milan, '3.3', [4, 1, 24])),
    wrong('leaf-spl-trailing', 'A byte after the INTEGER.', other(milan, '3.3', [2, 1, 24, 0])),
    wrong('leaf-spl-empty', 'An empty extension.', other(milan, '3.3', [])),
    wrong('leaf-struct-version-2', 'A newer structure is unknown.', other(milan, '1', [2, 1, 2])),
    wrong(
      'leaf-product-name-utf8',
      'productName is an IA5String.',
      other(milan, '2', [0x0c, 5, 0x4d, 0x69, 0x6c, 0x61, 0x6e]),
    ),
    wrong('leaf-csp-id-control', 'A name is printable.', other(milanVlek, '5', [0x16, 2, 0x41, 0x0a])),
    wrong(
      'leaf-hwid-63',
      'A hardware id has 64 bytes, or 8.',
      withLeaf(milan, { hwID: milan.leafSubject.hwID.subarray(0, 63) }),
    ),
    wrong(
      'leaf-product-name-other',
      'productName is of another product line than the issuer.',
      other(milan, '2', [0x16, 5, 0x47, 0x65, 0x6e, 0x6f, 0x61]),
      'product_mismatch',
    ),
  ]
}

const products = ({ milan, genoa }: Kit): Vector[] => [
  refused(
    'product_mismatch',
    'product-cpuid-other',
    'CPUID says Genoa, the leaf is of Milan.',
    evidence(milan, { cpuid: [0x19, 0x11, 1] }),
  ),
  refused('product_mismatch', 'product-chain-other', 'CPUID says Milan, the leaf is of Genoa.', {
    ...evidence(milan),
    ...chainOf(genoa),
  }),
  refused(
    'product_unsupported',
    'product-cpuid-unknown',
    'CPUID names no product line that is known.',
    evidence(milan, { cpuid: [0x1a, 0x50, 0] }),
  ),
  refused(
    'product_unsupported',
    'product-issuer-unknown',
    'The issuer names no product line that is known.',
    withLeaf(milan, {}, { issuer: simulatedName('SEV-Venice') }),
  ),
]

/** Leaves of the wrong kind, TCB, chip or form. */
export const leafVectors = (kit: Kit): Vector[] => [
  ...kinds(kit),
  ...tcbs(kit),
  ...chips(kit),
  ...malformed(kit),
  ...products(kit),
]
