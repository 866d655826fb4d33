import {
  type CertificateRequest,
  type EndorsedFirmware,
  type GoogleAuthority,
  issueGoogleCertificate,
  mintGoogleRoot,
} from '../../../scripts/src/google-root/index.js'

export const NOW = Date.UTC(2026, 10, 30)
const YEAR_MS = 365 * 24 * 3600 * 1000

export const ROOT: CertificateRequest = {
  commonName: 'Simulated GCE-cc-tcb-root',
  serial: 1,
  notBeforeMs: NOW - 2 * YEAR_MS,
  notAfterMs: NOW + 10 * YEAR_MS,
  pathLength: 1,
}

export const SIGNER: CertificateRequest = {
  commonName: 'Simulated GCE uefi signer',
  serial: 2,
  notBeforeMs: NOW - YEAR_MS,
  notAfterMs: NOW + YEAR_MS,
  pathLength: null,
}

export const digestOf = (byte: number): Uint8Array => new Uint8Array(48).fill(byte)

export const FIRMWARE: EndorsedFirmware = {
  timestampMs: Date.UTC(2026, 8, 1, 12),
  clSpec: 700123456n,
  commit: Buffer.from('0123456789abcdef0123456789abcdef01234567', 'hex'),
  caBundle: new Uint8Array(),
  uefiDigest: digestOf(0xee),
  svn: 3,
  measurements: new Map([2, 4, 8, 240].map((vmsas) => [vmsas, digestOf(vmsas)])),
  svsmMeasurement: digestOf(0x55),
  familyId: Buffer.from('f73a6949e8f3473b9553e40e056fa3a2', 'hex'),
  imageId: Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
  policy: 0x70000n,
}

/** A root and a signer under it: keys take a while, so a test file makes them once. */
export const mintAuthorities = (): { root: GoogleAuthority; signer: GoogleAuthority } => {
  const root = mintGoogleRoot(ROOT)
  return { root, signer: issueGoogleCertificate(root, SIGNER) }
}

export const pemOf = (...certificates: readonly Uint8Array[]): Uint8Array =>
  Buffer.from(
    certificates
      .map((der) => Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n'))
      .map((body) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`)
      .join(''),
    'ascii',
  )
