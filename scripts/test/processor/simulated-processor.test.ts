import { createPublicKey, verify, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  judgeGenuine,
  parseCertificate,
  parseReport,
  type ProductLine,
  type SigningKey,
} from '@parley/attestation'
import { describe, expect, it } from 'vitest'
import { createSimulatedProcessor } from '../../src/processor/index.js'

const now = Date.UTC(2026, 0, 15)
const measurement = new Uint8Array(48).fill(0x4d)
const reportData = new Uint8Array(64).fill(0x52)

const make = (product: ProductLine = 'Milan', signingKey: SigningKey = 'vcek') =>
  createSimulatedProcessor({ product, signingKey, now, measurement })

describe('the simulated secure processor', () => {
  it.each([
    ['Milan', 'vcek', 'SEV-VCEK', 'SEV-Milan'],
    ['Milan', 'vlek', 'SEV-VLEK', 'SEV-VLEK-Milan'],
    ['Genoa', 'vcek', 'SEV-VCEK', 'SEV-Genoa'],
    ['Genoa', 'vlek', 'SEV-VLEK', 'SEV-VLEK-Genoa'],
    ['Turin', 'vcek', 'SEV-VCEK', 'SEV-Turin'],
    ['Turin', 'vlek', 'SEV-VLEK', 'SEV-VLEK-Turin'],
  ] as const)(
    'of %s with a %s is genuine under its own root, and simulated',
    async (product, kind, leaf, issuer) => {
      const { collector, rootCertificate } = await make(product, kind)
      const collected = await collector.collect(reportData)
      const roots = [{ certificate: rootCertificate, simulated: true as const }]
      const judged = await judgeGenuine({ ...collected, now, roots })
      expect(judged).toMatchObject({ genuine: true, simulated: true, product, signed_by: kind })
      const names = collected.certificates.map((der) => parseCertificate(der).subject.commonName)
      expect(names).toEqual([leaf, issuer, `ARK-${product}`])
    },
  )

  it.each([2, 3, 4, 5])('writes reports of version %i', async (reportVersion) => {
    const chip = await createSimulatedProcessor({ product: 'Milan', now, measurement, reportVersion })
    const roots = [{ certificate: chip.rootCertificate, simulated: true as const }]
    const judged = await judgeGenuine({ ...(await chip.collector.collect(reportData)), now, roots })
    expect(judged).toMatchObject({ genuine: true, report_version: reportVersion })
  })

  it('is genuine to nobody who was not told to trust its root', async () => {
    const collected = await (await make()).collector.collect(reportData)
    expect((await judgeGenuine({ ...collected, now })).code).toBe('root_not_pinned')
  })

  it('says in every name that it is simulated, and bears no name of AMD', async () => {
    for (const der of (await make()).certificates) {
      const { subject, issuer } = new X509Certificate(der)
      for (const name of [subject, issuer]) {
        expect(name).toContain('Simulated secure processor, not AMD'.replace(',', '\\,'))
        expect(name).not.toContain('Advanced Micro Devices')
      }
    }
  })

  it('makes a chip and a root of its own each time, under the keys of the process', async () => {
    const [one, two] = [await make(), await make()]
    const chipOf = ({ attest }: typeof one): Uint8Array => parseReport(attest({})).chip_id
    expect(chipOf(one)).not.toEqual(chipOf(two))
    expect(one.leafSpki).not.toEqual(two.leafSpki)
    expect(one.vendor.intermediateSpki).toEqual(two.vendor.intermediateSpki)
  })

  it('signs as hardware does, and as OpenSSL verifies', async () => {
    const chip = await make()
    const report = chip.attest({ reportData })
    const scalar = (at: number): Buffer => Buffer.from(report.subarray(at, at + 48)).reverse()
    const key = createPublicKey({ key: Buffer.from(chip.leafSpki), type: 'spki', format: 'der' })
    const signature = Buffer.concat([scalar(0x2a0), scalar(0x2e8)])
    expect(verify('sha384', report.subarray(0, 0x2a0), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(
      true,
    )
  })

  it('chains as OpenSSL verifies', async () => {
    const [leaf, intermediate, root] = (await make()).certificates.map((der) => new X509Certificate(der))
    if (leaf === undefined || intermediate === undefined || root === undefined)
      throw new Error('three certificates')
    expect(leaf.verify(intermediate.publicKey)).toBe(true)
    expect(intermediate.verify(root.publicKey)).toBe(true)
    expect(root.verify(root.publicKey)).toBe(true)
  })

  it('attests the measurement and the data that it is given', async () => {
    const { report } = await (await make()).collector.collect(reportData)
    expect(parseReport(report)).toMatchObject({ measurement, report_data: reportData })
  })
})

describe('the rooms that judge or attest for real', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))

  const sources = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? sources(path) : [path]
    })

  it.each(['enclave/src', 'verifier/src', 'host-proxy/src', 'attestation/src'])(
    '%s names no simulated processor',
    (room) => {
      for (const path of sources(join(root, room))) {
        expect(readFileSync(path, 'utf8'), path).not.toMatch(
          /simulated ?-?processor|createSimulated|@parley\/scripts/i,
        )
      }
    },
  )
})
