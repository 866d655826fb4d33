import type { AttestationErrorCode } from '@parley/attestation'
import { type CertificateSpec, leafExtensions, type SimulatedProcessor } from '../processor/index.js'
import { toPem } from './encodings.js'
import {
  DAY_MS,
  evidence,
  flipped,
  genuine,
  type Kit,
  NOW_MS,
  patched,
  refused,
  simulatedName,
  withLeaf,
  without,
} from './kit.js'
import type { Files, Vector } from './vector.js'

const missing = ({ milan, milanVlek }: Kit): Vector[] => {
  const gone = (name: string, why: string, files: Files, trustedRoots = ['ark.der']): Vector =>
    refused('collateral_missing', name, why, files, { trustedRoots })
  const base = evidence(milan)
  return [
    gone('missing-all', 'A report alone.', { 'report.bin': milan.attest({}) }, []),
    gone('missing-leaf', 'The authorities without the leaf.', without(base, 'vcek.der')),
    gone('missing-intermediate', 'Leaf and root without what is between them.', without(base, 'ask.der')),
    gone('missing-root', 'A provider that hands over no root.', without(base, 'ark.der'), []),
    gone(
      'missing-all-but-leaf',
      'A provider that hands over the leaf alone.',
      without(without(evidence(milanVlek), 'asvk.der'), 'ark.der'),
      [],
    ),
    gone('intermediate-of-other-kind', 'The ASVK instead of the ASK.', {
      ...without(base, 'ask.der'),
      'asvk.der': milan.vendor.intermediates.vlek,
    }),
  ]
}

const NOT_TRUSTED = { trustedRoots: [] }

const roots = ({ milan, genoa, forger }: Kit): Vector[] => [
  refused(
    'root_not_pinned',
    'root-not-pinned',
    'A root that nobody vouches for.',
    evidence(milan),
    NOT_TRUSTED,
  ),
  refused(
    'root_not_pinned',
    'root-forged-names',
    "A chain under AMD's own names, made by a stranger: evidence roots are hints.",
    evidence(forger),
    NOT_TRUSTED,
  ),
  refused(
    'root_not_pinned',
    'root-other-trusted',
    'The root of another product line is trusted, this one is not.',
    { ...evidence(milan), 'other.der': genoa.vendor.root },
    { trustedRoots: ['other.der'] },
  ),
  refused(
    'root_not_pinned',
    'root-flipped',
    'A bit of the root was turned.',
    { ...evidence(milan), 'ark.der': flipped(milan.vendor.root, -1), 'trusted.der': genoa.vendor.root },
    { trustedRoots: ['trusted.der'] },
  ),
  genuine('root-beside-forged', 'A forged root lies beside the trusted one.', {
    ...evidence(milan),
    'a-forged.der': forger.vendor.root,
  }),
]

const middle = (chip: SimulatedProcessor, changes: Partial<CertificateSpec>): Files => ({
  ...evidence(chip),
  'ask.der': chip.vendor.issueIntermediate('vcek', changes),
})

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const CERT_SIGN = { oid: KEY_USAGE, critical: true, value: Uint8Array.of(3, 2, 2, 4) }
const CA = { oid: BASIC_CONSTRAINTS, critical: true, value: Uint8Array.of(0x30, 6, 1, 1, 0xff, 2, 1, 0) }
const CA_WITHOUT_LIMIT = { oid: BASIC_CONSTRAINTS, critical: true, value: Uint8Array.of(0x30, 3, 1, 1, 0xff) }
const NO_CA = { oid: BASIC_CONSTRAINTS, critical: true, value: Uint8Array.of(0x30, 0) }

const broken = ({ milan, genoa, forger }: Kit): Vector[] => {
  const wrong = (name: string, why: string, files: Files): Vector => refused('chain_broken', name, why, files)
  return [
    wrong(
      'intermediate-no-ca',
      'The intermediate is no authority.',
      middle(milan, { extensions: [NO_CA, CERT_SIGN] }),
    ),
    wrong(
      'intermediate-no-constraints',
      'The intermediate does not say that it is an authority.',
      middle(milan, { extensions: [CERT_SIGN] }),
    ),
    wrong(
      'intermediate-no-cert-sign',
      'The intermediate may not sign certificates.',
      middle(milan, { extensions: [CA] }),
    ),
    wrong(
      'intermediate-no-path-length',
      'The intermediate could make authorities of its own.',
      middle(milan, { extensions: [CA_WITHOUT_LIMIT, CERT_SIGN] }),
    ),
    wrong(
      'intermediate-of-other-root',
      'The intermediate names another issuer than the root.',
      middle(milan, { issuer: simulatedName('ARK-Genoa') }),
    ),
    wrong(
      'intermediate-with-leaf-key',
      'The intermediate has a P-384 key.',
      middle(milan, { spki: genoa.leafSpki }),
    ),
    wrong(
      'leaf-with-rsa-key',
      'The leaf has an RSA key.',
      withLeaf(milan, {}, { spki: milan.vendor.intermediateSpki }),
    ),
    wrong(
      'leaf-is-ca',
      'The leaf says that it is an authority.',
      withLeaf(milan, {}, { extensions: [...leafExtensions(milan.leafSubject), CA] }),
    ),
    wrong(
      'leaf-of-other-organisation',
      'The leaf has another organisation than its issuer.',
      withLeaf(
        milan,
        {},
        { subject: { organisation: [['2.5.4.10', 'Somebody else']], commonName: 'SEV-VCEK' } },
      ),
    ),
    refused(
      'collateral_missing',
      'leaf-of-forged-issuer',
      'The leaf names an issuer of the same common name in another organisation.',
      { ...evidence(milan), 'vcek.der': forger.vendor.issueLeaf(milan.leafSubject, milan.leafSpki) },
    ),
  ]
}

const signatures = ({ milan, imposter }: Kit): Vector[] => {
  const wrong = (name: string, why: string, files: Files): Vector =>
    refused('chain_signature_invalid', name, why, files)
  const base = evidence(milan)
  const leaf = milan.vendor.issueLeaf(milan.leafSubject, milan.leafSpki)
  return [
    wrong('leaf-signature-flipped', 'A bit of the signature of the leaf was turned.', {
      ...base,
      'vcek.der': flipped(leaf, -1),
    }),
    wrong('leaf-serial-flipped', 'A bit of what is signed in the leaf was turned.', {
      ...base,
      'vcek.der': flipped(leaf, 15),
    }),
    wrong('intermediate-signature-flipped', 'A bit of the signature of the intermediate was turned.', {
      ...base,
      'ask.der': flipped(milan.vendor.intermediates.vcek, -1),
    }),
    wrong('intermediate-by-stranger', 'An intermediate of the right name, signed by another key.', {
      ...base,
      'ask.der': imposter.vendor.intermediates.vcek,
    }),
    wrong('leaf-by-stranger', 'A leaf of the right name, signed by another key.', {
      ...base,
      'vcek.der': imposter.vendor.issueLeaf(milan.leafSubject, milan.leafSpki),
    }),
    genuine(
      'intermediate-twice',
      'An intermediate of the same name and another key lies beside the right one.',
      { ...base, 'a-ask.der': imposter.vendor.intermediates.vcek },
    ),
  ]
}

const dates = ({ milan }: Kit): Vector[] => {
  const at = (days: number): number => NOW_MS + days * DAY_MS
  const leaf = (from: number, to: number): Files =>
    withLeaf(milan, {}, { notBeforeMs: at(from), notAfterMs: at(to) })
  return [
    refused('certificate_expired', 'leaf-expired', 'The leaf expired a day ago.', leaf(-400, -1)),
    refused(
      'certificate_not_yet_valid',
      'leaf-not-yet-valid',
      'The leaf counts from tomorrow.',
      leaf(1, 400),
    ),
    refused(
      'certificate_expired',
      'intermediate-expired',
      'The intermediate expired a day ago.',
      middle(milan, { notBeforeMs: at(-400), notAfterMs: at(-1) }),
    ),
    refused(
      'certificate_not_yet_valid',
      'intermediate-not-yet-valid',
      'The intermediate counts from tomorrow.',
      middle(milan, { notBeforeMs: at(1), notAfterMs: at(400) }),
    ),
    refused(
      'certificate_expired',
      'root-expired',
      'Judged when the root has expired, long after the others.',
      evidence(milan),
      { nowMs: at(365 * 30) },
    ),
    refused(
      'certificate_not_yet_valid',
      'all-not-yet-valid',
      'Judged before anything of it counted.',
      evidence(milan),
      { nowMs: at(-365 * 10) },
    ),
    genuine('leaf-last-millisecond', 'The end of a validity belongs to it.', leaf(-400, 0)),
    genuine('leaf-first-millisecond', 'The beginning of a validity belongs to it.', leaf(0, 400)),
  ]
}

const TBS_ALGORITHM_AT = 16

const malformed = ({ milan }: Kit): Vector[] => {
  const wrong = (
    name: string,
    why: string,
    leaf: Uint8Array,
    code: AttestationErrorCode = 'certificate_malformed',
  ): Vector => refused(code, name, why, { ...evidence(milan), 'vcek.der': leaf })
  const leaf = milan.vendor.issueLeaf(milan.leafSubject, milan.leafSpki)
  const pem = toPem([leaf])
  const text = new TextDecoder().decode(pem)
  const encode = (changed: string): Uint8Array => new TextEncoder().encode(changed)
  return [
    wrong('leaf-trailing-byte', 'A byte after the certificate.', Buffer.concat([leaf, Uint8Array.of(0)])),
    wrong('leaf-truncated', 'The last byte is missing.', leaf.subarray(0, -1)),
    wrong('leaf-empty', 'An empty file.', new Uint8Array()),
    wrong('leaf-indefinite-length', 'BER, not DER.', patched(leaf, 1, [0x80])),
    wrong(
      'leaf-length-not-minimal',
      'A length in three bytes that needs two.',
      Buffer.concat([Uint8Array.of(0x30, 0x83, 0), leaf.subarray(2)]),
    ),
    wrong(
      'leaf-inner-algorithm-other',
      'The signed algorithm is not the one of the signature.',
      flipped(leaf, TBS_ALGORITHM_AT + 10),
    ),
    wrong(
      'leaf-outer-algorithm-other',
      'The unsigned algorithm is not the signed one.',
      flipped(leaf, -517 - 10),
    ),
    wrong(
      'leaf-unused-bits',
      'A signature that is no whole number of bytes.',
      patched(leaf, leaf.length - 513, [1]),
    ),
    wrong('leaf-of-8-kib', 'A certificate of over 8 KiB.', new Uint8Array(8193).fill(0x30)),
    wrong('pem-with-text', 'Text outside of the blocks.', encode(`subject=SEV-VCEK\n${text}`)),
    wrong(
      'pem-without-end',
      'A block that does not end.',
      encode(text.replace('-----END CERTIFICATE-----', '')),
    ),
    wrong('pem-of-a-key', 'A block of another kind.', encode(text.replaceAll('CERTIFICATE', 'PUBLIC KEY'))),
    wrong('pem-not-base64', 'A character that is none of base64.', encode(text.replace('MII', 'M*I'))),
    wrong('pem-of-nothing', 'An empty block.', toPem([])),
  ]
}

/** Chains that do not lead to a trusted root, or not now. */
export const chainVectors = (kit: Kit): Vector[] => [
  ...missing(kit),
  ...roots(kit),
  ...broken(kit),
  ...signatures(kit),
  ...dates(kit),
  ...malformed(kit),
]
