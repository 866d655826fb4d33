import { constants, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { issueGoogleCertificate, mintGoogleRoot } from '../../../scripts/src/google-root/index.js'
import { mintTpmIssuer, mintTpmRoot } from '../../../scripts/src/tpm/index.js'
import { isSignedByIssuer } from '../../src/boot/is-signed-by-issuer.js'
import { parseTpmCertificate } from '../../src/boot/tpm-certificate.js'
import { verifySha256Signature } from '../../src/boot/verify-sha256-signature.js'
import { DATES } from './kit.js'

const publicKeyEncoding = { type: 'spki', format: 'der' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'der' } as const
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding })
const privateKey = (key: Buffer) => createPrivateKey({ key, type: 'pkcs8', format: 'der' })

const DATA = Buffer.from('attested')
const pss = (saltLength: number, data = DATA): Uint8Array =>
  sign('sha256', data, {
    key: privateKey(rsa.privateKey),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength,
  })
const pkcs1 = sign('sha256', DATA, privateKey(rsa.privateKey))
const ecdsa = sign('sha256', DATA, { key: privateKey(ec.privateKey), dsaEncoding: 'ieee-p1363' })

describe('a signature over SHA-256', () => {
  it('counts by RSASSA, by RSAPSS with a salt as long as the digest or as fits, and by ECDSA', async () => {
    expect(await verifySha256Signature('rsassa', rsa.publicKey, DATA, pkcs1)).toBe(true)
    expect(await verifySha256Signature('rsapss', rsa.publicKey, DATA, pss(32))).toBe(true)
    expect(await verifySha256Signature('rsapss', rsa.publicKey, DATA, pss(222))).toBe(true)
    expect(await verifySha256Signature('ecdsa-p256', ec.publicKey, DATA, ecdsa)).toBe(true)
  })

  it.each([
    ['another scheme', 'rsapss', rsa.publicKey, pkcs1],
    ['the other RSA scheme', 'rsassa', rsa.publicKey, pss(32)],
    ['another salt', 'rsapss', rsa.publicKey, pss(20)],
    ['other data', 'rsapss', rsa.publicKey, pss(32, Buffer.from('something else'))],
    ['a key of another kind', 'ecdsa-p256', rsa.publicKey, ecdsa],
    ['no key', 'rsassa', new Uint8Array(4), pkcs1],
    ['nothing', 'rsassa', rsa.publicKey, new Uint8Array()],
    ['no integers', 'ecdsa-p256', ec.publicKey, new Uint8Array(64)],
    ['half of it', 'ecdsa-p256', ec.publicKey, ecdsa.subarray(0, 32)],
  ] as const)('does not count by %s', async (_, scheme, spki, signature) => {
    expect(await verifySha256Signature(scheme, spki, DATA, signature)).toBe(false)
  })
})

describe('a certificate of a TPM', () => {
  const parsed = (certificate: Uint8Array) => parseTpmCertificate(certificate)

  it('is signed by its issuer by RSASSA, RSAPSS or ECDSA', async () => {
    for (const type of ['rsa', 'ec'] as const) {
      const root = mintTpmRoot(type, DATES)
      const issuer = mintTpmIssuer(type === 'rsa' ? 'ec' : 'rsa', root, DATES)
      expect(await isSignedByIssuer(parsed(issuer.certificate), parsed(root.certificate))).toBe(true)
    }
    const request = { commonName: 'A root', serial: 1, ...DATES, pathLength: 1 }
    const root = mintGoogleRoot(request)
    const { certificate } = issueGoogleCertificate(root, {
      ...request,
      commonName: 'Below',
      pathLength: null,
    })
    expect(await isSignedByIssuer(parsed(certificate), parsed(root.certificate))).toBe(true)
  })

  it('is not signed by another of the same name, or of another kind', async () => {
    const { certificate } = mintTpmIssuer('ec', mintTpmRoot('ec', DATES), DATES)
    for (const type of ['rsa', 'ec'] as const) {
      const stranger = mintTpmRoot(type, DATES)
      expect(await isSignedByIssuer(parsed(certificate), parsed(stranger.certificate))).toBe(false)
    }
  })

  it('is not signed where its signature is no pair of integers', async () => {
    const root = mintTpmRoot('ec', DATES)
    const child = parsed(mintTpmIssuer('ec', root, DATES).certificate)
    for (const signature of [new Uint8Array(), new Uint8Array(70), child.signature.subarray(0, -1)])
      expect(await isSignedByIssuer({ ...child, signature }, parsed(root.certificate))).toBe(false)
  })
})
