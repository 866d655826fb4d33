import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseGoogleCertificate } from '../../src/gce-endorsement/google-certificate.js'
import { onlyRefusesAs, refusedAs } from '../measure/refused-as.js'
import { mintAuthorities, ROOT, SIGNER } from './endorsed-firmware.js'

const { root, signer } = mintAuthorities()

test('a root may sign certificates, a signer may not', () => {
  const authorityOf = (der: Uint8Array) => parseGoogleCertificate(der).authority
  expect(authorityOf(root.certificate)).toMatchObject({
    isCa: true,
    pathLength: 1,
    maySignCertificates: true,
  })
  expect(authorityOf(signer.certificate)).toMatchObject({ isCa: false, maySignCertificates: false })
})

test('validity and names are those that were asked for', () => {
  const parsed = parseGoogleCertificate(signer.certificate)
  expect([parsed.notBeforeMs, parsed.notAfterMs]).toEqual([SIGNER.notBeforeMs, SIGNER.notAfterMs])
  expect(parsed.issuer).toEqual(parseGoogleCertificate(root.certificate).subject)
})

test('OpenSSL reads the minted certificates alike, and verifies them', () => {
  const [issuer, child] = [root, signer].map(({ certificate }) => new X509Certificate(certificate))
  expect(issuer?.subject).toContain(`CN=${ROOT.commonName}`)
  expect(issuer !== undefined && child?.verify(issuer.publicKey)).toBe(true)
})

test('bytes after the certificate are refused as certificate_malformed', async () => {
  await refusedAs('certificate_malformed', () =>
    parseGoogleCertificate(Buffer.concat([signer.certificate, Uint8Array.of(0)])),
  )
})

test('a certificate over 8 KiB is refused as certificate_malformed', async () => {
  await refusedAs('certificate_malformed', () => parseGoogleCertificate(new Uint8Array(8193)))
})

test('any one changed byte leaves a certificate or a refusal as certificate_malformed', () => {
  fc.assert(
    fc.property(fc.nat(signer.certificate.length - 1), fc.nat(255), (at, value) => {
      const changed = Uint8Array.from(signer.certificate)
      changed[at] = value
      onlyRefusesAs('certificate_malformed', () => parseGoogleCertificate(changed))
    }),
    { numRuns: 1000 },
  )
})

test('any cut leaves a refusal as certificate_malformed', async () => {
  for (let length = 0; length < signer.certificate.length; length += 7) {
    await refusedAs('certificate_malformed', () =>
      parseGoogleCertificate(signer.certificate.subarray(0, length)),
    )
  }
})
