import { leafExtensions, type SimulatedProcessor } from '../processor/index.js'
import { evidence, genuine, type Kit, refused, withLeaf } from './kit.js'
import { more, other, withExtensions } from './leaf-vectors.js'
import type { Files, Vector } from './vector.js'

const MOST_SMALL = 8_300

const good = ({ milan, milanVlek, turin }: Kit): Vector[] => [
  genuine(
    'leaf-extensions-misordered',
    'Extensions are found by their identifiers, in whatever order.',
    withExtensions(milan, (extensions) => extensions.toReversed()),
  ),
  genuine(
    'leaf-extensions-misordered-turin',
    'The same on Turin.',
    withExtensions(turin, (extensions) => extensions.toReversed()),
  ),
  genuine(
    'leaf-extensions-misordered-vlek',
    'The same in a VLEK.',
    withExtensions(milanVlek, (extensions) => extensions.toReversed()),
  ),
  genuine(
    'leaf-unknown-extension',
    'What is unknown, not critical and not of AMD says nothing.',
    withLeaf(
      milan,
      {},
      {
        extensions: [...leafExtensions(milan.leafSubject), { oid: '2.999.1', value: Uint8Array.of(5, 0) }],
      },
    ),
  ),
  genuine(
    'leaf-product-name-stepping',
    'What follows the hyphen in productName says nothing.',
    other(milan, '2', [0x16, 9, ...new TextEncoder().encode('Milan-Z99')]),
  ),
]

const huge = (chip: SimulatedProcessor, arc: string): Files =>
  other(
    chip,
    arc,
    Array.from({ length: MOST_SMALL }, () => 0x41),
  )

const malformed = ({ milan, milanVlek, turin }: Kit): Vector[] => {
  const wrong = (name: string, why: string, files: Files): Vector =>
    refused('certificate_malformed', name, why, files)
  return [
    wrong('leaf-extension-huge', 'A certificate has at most 8 KiB.', huge(milan, '2')),
    wrong(
      'leaf-product-name-bare',
      'productName is an IA5String, not bare text.',
      other(milan, '2', [0x4d, 0x69, 0x6c, 0x61, 0x6e]),
    ),
    wrong(
      'leaf-product-name-nul',
      'A name holds no NUL.',
      other(milan, '2', [0x16, 6, 0x4d, 0x69, 0x6c, 0x61, 0x6e, 0]),
    ),
    wrong('leaf-csp-id-bare', 'cspID is an IA5String, not bare text.', other(milanVlek, '5', [0x43, 0x4e])),
    wrong(
      'leaf-hwid-as-text',
      'A hardware id is bytes, bare or in an OCTET STRING, no text.',
      other(milan, '4', [0x16, 64, ...milan.leafSubject.hwID]),
    ),
    wrong(
      'leaf-hwid-wrapped-twice',
      'An OCTET STRING in an OCTET STRING is no hardware id.',
      other(milan, '4', [4, 66, 4, 64, ...milan.leafSubject.hwID]),
    ),
    wrong(
      'leaf-hwid-wrapped-trailing',
      'A byte after the OCTET STRING.',
      other(milan, '4', [4, 64, ...milan.leafSubject.hwID, 0]),
    ),
    wrong('leaf-hwid-empty', 'No hardware id at all.', other(turin, '4', [])),
    wrong('leaf-struct-version-negative', 'A version is not negative.', other(milan, '1', [2, 1, 0x80])),
    wrong(
      'leaf-amd-arc-other',
      'An identifier under the arc of AMD that nobody here knows.',
      more(milan, '6', [2, 1, 0]),
    ),
    wrong(
      'leaf-unknown-critical',
      'What is unknown and critical is refused.',
      withLeaf(
        milan,
        {},
        {
          extensions: [
            ...leafExtensions(milan.leafSubject),
            { oid: '2.999.1', critical: true, value: Uint8Array.of(5, 0) },
          ],
        },
      ),
    ),
    wrong('der-in-pem-name', 'Base64 without its frame is neither DER nor PEM.', {
      ...evidence(milan),
      'bare.pem': new TextEncoder().encode(Buffer.from(milan.vendor.root).toString('base64')),
    }),
  ]
}

/** Leaves whose extensions are of another form than AMD writes, or of the same in another order. */
export const formVectors = (kit: Kit): Vector[] => [...good(kit), ...malformed(kit)]
