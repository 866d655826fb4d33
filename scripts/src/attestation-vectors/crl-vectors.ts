import type { AttestationErrorCode } from '@parley/attestation'
import { CRL_NUMBER, type CrlSpec, type ExtensionSpec } from '../processor/index.js'
import { DAY_MS, evidence, flipped, genuine, type Kit, NOW_MS, refused, simulatedName } from './kit.js'
import type { Files, Vector } from './vector.js'

/** Serial number of every simulated intermediate, as the content of an INTEGER. */
const INTERMEDIATE = Uint8Array.of(0x01, 0x00, 0x01)
const ROOT = Uint8Array.of(0x01, 0x00, 0x00)
const OTHER = Uint8Array.of(0x02, 0x00, 0x01)

const at = (days: number): number => NOW_MS + days * DAY_MS

const entry = (serial: Uint8Array, days = -2) => ({ serial, revokedAtMs: at(days) })

const withCrl = ({ milan }: Kit, crl: Uint8Array): Files => ({ ...evidence(milan), 'ark.crl': crl })

const issued = (kit: Kit, changes: Partial<CrlSpec> = {}): Files =>
  withCrl(kit, kit.milan.vendor.issueCrl(changes))

const good = (kit: Kit): Vector[] => [
  genuine('crl-empty', "The root's list, which revokes nothing.", issued(kit)),
  genuine(
    'crl-revokes-another',
    'The list revokes another intermediate.',
    issued(kit, { revoked: [entry(OTHER)], writesTrailerField: true }),
  ),
  genuine(
    'crl-revokes-from-tomorrow',
    'A certificate is revoked from its revocationDate on.',
    issued(kit, { revoked: [entry(INTERMEDIATE, 1)] }),
  ),
  genuine(
    'crl-past-next-update',
    'How new a list has to be is for a policy to say.',
    issued(kit, { thisUpdateMs: at(-100), nextUpdateMs: at(-50) }),
  ),
  genuine(
    'crl-with-reason',
    'An entry may give a reason.',
    issued(kit, {
      revoked: [
        { ...entry(OTHER), extensions: [{ oid: '2.5.29.21', value: Uint8Array.of(0x0a, 0x01, 0x01) }] },
      ],
    }),
  ),
]

const notGenuine = (kit: Kit): Vector[] => {
  const wrong = (code: AttestationErrorCode, name: string, why: string, files: Files): Vector =>
    refused(code, name, why, files)
  const { milan, genoa, imposter } = kit
  return [
    wrong(
      'certificate_revoked',
      'crl-revokes-intermediate',
      'The intermediate is revoked: whatever it signed counts no longer.',
      issued(kit, { revoked: [entry(OTHER), entry(INTERMEDIATE)] }),
    ),
    wrong(
      'certificate_revoked',
      'crl-revokes-root',
      'The root has revoked itself.',
      issued(kit, { revoked: [entry(ROOT)] }),
    ),
    wrong(
      'certificate_revoked',
      'crl-revokes-intermediate-stale',
      'A list past its nextUpdate revokes what it lists all the same.',
      issued(kit, { thisUpdateMs: at(-100), nextUpdateMs: at(-50), revoked: [entry(INTERMEDIATE, -101)] }),
    ),
    wrong(
      'crl_signature_invalid',
      'crl-by-stranger',
      "A list in the root's name, signed by another key.",
      withCrl(kit, imposter.vendor.issueCrl()),
    ),
    wrong(
      'crl_signature_invalid',
      'crl-signature-flipped',
      'A bit of the signature was turned.',
      withCrl(kit, flipped(milan.vendor.issueCrl(), -1)),
    ),
    wrong(
      'crl_issuer_mismatch',
      'crl-of-other-root',
      'The list of another product line.',
      withCrl(kit, genoa.vendor.issueCrl()),
    ),
    wrong(
      'crl_issuer_mismatch',
      'crl-of-intermediate',
      'An intermediate has no say about itself.',
      issued(kit, { issuer: simulatedName('SEV-Milan') }),
    ),
    wrong(
      'crl_not_yet_valid',
      'crl-not-yet-valid',
      'The list is of a time to come.',
      issued(kit, { thisUpdateMs: at(1) }),
    ),
  ]
}

const extended = (kit: Kit, ...extensions: ExtensionSpec[]): Files =>
  issued(kit, { extensions: [CRL_NUMBER, ...extensions] })

const malformed = (kit: Kit): Vector[] => {
  const wrong = (name: string, why: string, files: Files): Vector =>
    refused('crl_malformed', name, why, files)
  const crl = kit.milan.vendor.issueCrl()
  return [
    wrong('crl-nothing', 'No bytes at all.', withCrl(kit, new Uint8Array())),
    wrong('crl-truncated', 'One byte short.', withCrl(kit, crl.subarray(0, -1))),
    wrong('crl-trailing-byte', 'One byte too many.', withCrl(kit, Buffer.concat([crl, Uint8Array.of(0)]))),
    wrong('crl-is-certificate', 'A certificate is no list.', withCrl(kit, kit.milan.vendor.root)),
    wrong(
      'crl-as-pem',
      'DER only.',
      withCrl(
        kit,
        new TextEncoder().encode(
          `-----BEGIN X509 CRL-----\n${Buffer.from(crl).toString('base64')}\n-----END X509 CRL-----\n`,
        ),
      ),
    ),
    wrong('crl-version-1', 'Version 1 has no extensions.', issued(kit, { version: 0 })),
    wrong('crl-version-3', 'There is no version 3.', issued(kit, { version: 2 })),
    wrong(
      'crl-without-next-update',
      'Such a list would never grow old.',
      issued(kit, { nextUpdateMs: null }),
    ),
    wrong(
      'crl-next-before-this',
      'nextUpdate is before thisUpdate.',
      issued(kit, { thisUpdateMs: at(-2), nextUpdateMs: at(-3) }),
    ),
    wrong('crl-without-number', 'A list has a number.', issued(kit, { extensions: [] })),
    wrong('crl-number-twice', 'An extension twice.', extended(kit, CRL_NUMBER)),
    wrong(
      'crl-delta',
      'A delta is no list of its own, critical or not.',
      extended(kit, { oid: '2.5.29.27', value: Uint8Array.of(2, 1, 1) }),
    ),
    wrong(
      'crl-of-some-reasons',
      'A list of some reasons, or of some certificates, leaves others out.',
      extended(kit, { oid: '2.5.29.28', value: Uint8Array.of(0x30, 3, 0x81, 1, 0xff) }),
    ),
    wrong(
      'crl-unknown-critical',
      'What is critical and unknown is refused.',
      extended(kit, { oid: '2.5.29.99', critical: true, value: Uint8Array.of(5, 0) }),
    ),
    wrong(
      'crl-entry-critical',
      'An entry of another issuer says so by a critical extension.',
      issued(kit, {
        revoked: [
          {
            ...entry(OTHER),
            extensions: [{ oid: '2.5.29.29', critical: true, value: Uint8Array.of(0x30, 0) }],
          },
        ],
      }),
    ),
    wrong(
      'crl-entry-twice',
      'A certificate twice: which date would count?',
      issued(kit, { revoked: [entry(OTHER), entry(OTHER, -3)] }),
    ),
    wrong(
      'crl-serial-negative',
      'A serial number is not negative.',
      issued(kit, { revoked: [entry(Uint8Array.of(0x80, 0, 1))] }),
    ),
    wrong(
      'crl-serial-long',
      'A serial number has at most 20 octets.',
      issued(kit, { revoked: [entry(new Uint8Array(21).fill(1))] }),
    ),
    wrong(
      'crl-too-large',
      'A list has at most 64 KiB.',
      withCrl(kit, Buffer.concat([crl, new Uint8Array(65_536)])),
    ),
  ]
}

/** Evidence with a list of revoked certificates. */
export const crlVectors = (kit: Kit): Vector[] => [...good(kit), ...notGenuine(kit), ...malformed(kit)]
