import { AMD_INTERMEDIATES, AMD_ROOTS, type Certificate, type RevocationList } from '@parley/attestation'
import { sha256, toHex } from '@parley/protocol'
import { printable } from '../../printable.js'

/** A certificate for a reader. Nothing in it is verified. */
export type CertificateView = {
  readonly found: string
  readonly subject: string
  readonly issuer: string
  readonly serial: string
  readonly not_before: string
  readonly not_after: string
  readonly valid_now: boolean
  readonly sha256: string
  readonly key_sha256: string
  /** The pin of AMD's that certificate and key equal, or null. */
  readonly pin: string | null
  readonly leaf: {
    readonly kind: string
    readonly product_name: string
    readonly hardware_id: string | null
    readonly provider: string | null
    readonly tcb: Readonly<Record<string, number>>
  } | null
}

/** A CRL for a reader. Nothing in it is verified. */
export type CrlView = {
  readonly found: string
  readonly issuer: string
  readonly number: string
  readonly this_update: string
  readonly next_update: string
  readonly current_now: boolean
  readonly sha256: string
  readonly revoked: readonly string[]
}

const fingerprint = (bytes: Uint8Array): string => toHex(sha256(bytes))
const iso = (ms: number): string => new Date(ms).toISOString()

/** Which extension stands for which part. */
const PARTS = [
  ['fmc', 'fmcSPL'],
  ['bootloader', 'blSPL'],
  ['tee', 'teeSPL'],
  ['snp', 'snpSPL'],
  ['microcode', 'ucodeSPL'],
] as const

const leafView = ({ leaf }: Certificate): CertificateView['leaf'] =>
  leaf === null
    ? null
    : {
        kind: leaf.kind,
        product_name: printable(leaf.productName),
        hardware_id: leaf.hwID === null ? null : toHex(leaf.hwID),
        provider: leaf.cspID === null ? null : printable(leaf.cspID),
        tcb: Object.fromEntries(
          PARTS.flatMap(([part, name]) => {
            const version = leaf.spl[name]
            return version === null ? [] : [[part, version]]
          }),
        ),
      }

/** A certificate for a reader. */
export const certificateView = (found: string, certificate: Certificate, nowMs: number): CertificateView => {
  const { der, subject, issuer, serial, publicKey, notBeforeMs, notAfterMs } = certificate
  const pinned = { certificate: fingerprint(der), spki: fingerprint(publicKey.spki) }
  const pin = [...AMD_ROOTS, ...AMD_INTERMEDIATES].find(
    (row) => row.certificate === pinned.certificate && row.spki === pinned.spki,
  )
  return {
    found: printable(found),
    subject: printable(subject.commonName),
    issuer: printable(issuer.commonName),
    serial: toHex(serial),
    not_before: iso(notBeforeMs),
    not_after: iso(notAfterMs),
    valid_now: notBeforeMs <= nowMs && nowMs <= notAfterMs,
    sha256: pinned.certificate,
    key_sha256: pinned.spki,
    pin: pin?.name ?? null,
    leaf: leafView(certificate),
  }
}

/** A CRL for a reader. */
export const crlView = (found: string, crl: RevocationList, nowMs: number): CrlView => ({
  found: printable(found),
  issuer: printable(crl.issuer.commonName),
  number: crl.number.toString(),
  this_update: iso(crl.thisUpdateMs),
  next_update: iso(crl.nextUpdateMs),
  current_now: crl.thisUpdateMs <= nowMs && nowMs < crl.nextUpdateMs,
  sha256: fingerprint(crl.der),
  revoked: [...crl.revoked.keys()],
})
