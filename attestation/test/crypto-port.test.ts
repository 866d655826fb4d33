import { sign, generateKeyPairSync, randomBytes, constants } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseCertificate } from '../src/index.js'
import { parseReport } from '../src/report/parse-report.js'
import { parseReportSignature } from '../src/report/report-signature.js'
import { crypto as node } from '../src/node/crypto.js'
import { crypto as web } from '../src/web/crypto.js'
import { genuineInput } from './evidence-folder.js'

const { report: reportBytes, certificates } = genuineInput('milan-v3-vcek')
const parsed = certificates.map((one) => parseCertificate(one))
const byName = (name: string) => {
  const found = parsed.find(({ subject }) => subject.commonName === name)
  if (found === undefined) throw new Error(name)
  return found
}
const report = parseReport(reportBytes)

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 4096,
  publicKeyEncoding: { type: 'pkcs1', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

describe.each([
  ['node:crypto', node],
  ['WebCrypto', web],
] as const)('the operations by %s', (_, port) => {
  it('hash', async () => {
    const digest = await port.sha256(new TextEncoder().encode('abc'))
    expect(Buffer.from(digest).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('tell byte strings apart by every byte and by their length', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, at) => at & 0xff)
    expect(port.sameBytes(bytes, Uint8Array.of(9, ...bytes).subarray(1))).toBe(true)
    expect(port.sameBytes(new Uint8Array(), new Uint8Array())).toBe(true)
    for (let at = 0; at < bytes.length; at++) {
      const changed = new Uint8Array(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x80
      expect(port.sameBytes(bytes, changed)).toBe(false)
    }
    expect(port.sameBytes(bytes, bytes.subarray(0, -1))).toBe(false)
    expect(port.sameBytes(bytes, Uint8Array.of(...bytes, 0))).toBe(false)
  })

  it('verify what RSA-PSS signed, and nothing else', async () => {
    const root = byName('ARK-Milan')
    const verify = await port.rsaPssVerifier(root.publicKey.bytes)
    const { tbs, signature } = byName('SEV-Milan')
    expect(await verify?.(tbs, signature)).toBe(true)
    expect(await verify?.(tbs.subarray(1), signature)).toBe(false)
    expect(
      await verify?.(
        tbs,
        signature.map((byte) => byte ^ 1),
      ),
    ).toBe(false)
    expect(await verify?.(tbs, new Uint8Array(512))).toBe(false)
    expect(await verify?.(tbs, new Uint8Array(512).fill(0xff))).toBe(false)
    expect(await verify?.(tbs, signature.subarray(1))).toBe(false)
    expect(await verify?.(tbs, new Uint8Array())).toBe(false)
  })

  it('refuse RSA-PSS with a salt of another length, and PKCS#1 v1.5', async () => {
    const verify = await port.rsaPssVerifier(new Uint8Array(publicKey))
    const data = randomBytes(32)
    const pss = (saltLength: number): Buffer =>
      sign('sha384', data, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })
    expect(await verify?.(data, pss(48))).toBe(true)
    expect(await verify?.(data, pss(32))).toBe(false)
    expect(await verify?.(data, sign('sha384', data, privateKey))).toBe(false)
  })

  it('verify what P-384 signed, and nothing else', async () => {
    const verify = await port.p384Verifier(byName('SEV-VCEK').publicKey.bytes)
    const signature = parseReportSignature(report.signature)
    expect(await verify?.(report.signed_bytes, signature)).toBe(true)
    expect(await verify?.(report.signed_bytes.subarray(1), signature)).toBe(false)
    expect(
      await verify?.(
        report.signed_bytes,
        signature.map((byte) => byte ^ 1),
      ),
    ).toBe(false)
    expect(await verify?.(report.signed_bytes, new Uint8Array(96))).toBe(false)
    expect(await verify?.(report.signed_bytes, new Uint8Array(96).fill(0xff))).toBe(false)
    expect(await verify?.(report.signed_bytes, new Uint8Array(95))).toBe(false)
  })

  it('take no point that is not on the curve', async () => {
    const point = byName('SEV-VCEK').publicKey.bytes
    expect(await port.p384Verifier(point.map((byte, at) => (at === 96 ? byte ^ 1 : byte)))).toBeNull()
    expect(await port.p384Verifier(new Uint8Array(97))).toBeNull()
  })

  it('take a modulus that is none, or refuse it, without a throw', async () => {
    const key = byName('SEV-Milan').publicKey.bytes
    const even = key.map((byte, at) => (at === key.length - 6 ? byte & 0xfe : byte))
    const verify = await port.rsaPssVerifier(even)
    const { tbs, signature } = byName('SEV-VCEK')
    expect((await verify?.(tbs, signature)) ?? false).toBe(false)
  })
})
