import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parseCertificate } from '@parley/attestation'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspectEvidence } from '../src/index.js'
import { NOW } from './minted-bundle.js'
import { simulateRelay, type SimulatedRelay } from './simulated-relay.js'

const DAY_MS = 86_400_000
const snp = join(process.env['PARLEY_CORPUS'] ?? 'no corpus', 'snp')
const cases = (kind: string): readonly string[] =>
  existsSync(join(snp, kind)) ? readdirSync(join(snp, kind)) : []

type Expected = {
  readonly product: string | null
  readonly reportVersion: number
  readonly signedBy: string
  readonly fields: { readonly measurement: string; readonly chipId: string; readonly reportData: string }
}

const read = (kind: string, name: string) => {
  const folder = join(snp, kind, name)
  const certificates = readdirSync(folder).filter((file) => ['.der', '.pem'].includes(extname(file)))
  const leaf = certificates.find((file) => /^v[cl]ek\.der$/.test(file))
  return {
    report: new Uint8Array(readFileSync(join(folder, 'report.bin'))),
    certificates: certificates.map((file) => new Uint8Array(readFileSync(join(folder, file)))),
    now:
      leaf === undefined
        ? NOW
        : parseCertificate(new Uint8Array(readFileSync(join(folder, leaf)))).notBeforeMs + DAY_MS,
    expected: JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected,
  }
}

describe.runIf(cases('verified').length > 0)('real evidence', () => {
  it.each(cases('verified'))('%s is genuine', async (name) => {
    const { expected, ...evidence } = read('verified', name)
    const { inspection, exitCode } = await inspectEvidence(evidence)
    expect(exitCode).toBe(0)
    expect(inspection).toMatchObject({
      genuine: true,
      code: null,
      product: expected.product,
      report_version: expected.reportVersion,
      signed_by: expected.signedBy,
      report: {
        measurement: expected.fields.measurement,
        chip_id: expected.fields.chipId,
        report_data: expected.fields.reportData,
      },
    })
  })

  it.each(cases('verified'))('%s is not genuine with a bit of its measurement flipped', async (name) => {
    const { report, certificates, now } = read('verified', name)
    report[0x90] = (report[0x90] ?? 0) ^ 1
    const { inspection, exitCode } = await inspectEvidence({ report, certificates, now })
    expect(exitCode).toBe(2)
    expect(inspection).toMatchObject({ genuine: false, code: 'report_signature_invalid' })
  })

  it.each(cases('report-only'))('%s, without a certificate, is not genuine', async (name) => {
    const { expected, report, now } = read('report-only', name)
    const { inspection, exitCode } = await inspectEvidence({ report, certificates: [], now })
    const released = expected.reportVersion > 1
    expect(exitCode).toBe(released ? 2 : 5)
    expect(inspection).toMatchObject({
      genuine: false,
      code: released ? 'collateral_missing' : 'report_malformed',
    })
  })
})

describe('simulated evidence', () => {
  let relay: SimulatedRelay
  beforeAll(async () => {
    relay = await simulateRelay()
  })

  it('is never genuine to an inspection: only AMD’s roots count', async () => {
    const report = relay.processor.attest({ reportData: new Uint8Array(64) })
    const { certificates } = relay.processor
    const { inspection, exitCode } = await inspectEvidence({ report, certificates, now: NOW })
    expect(exitCode).toBe(2)
    expect(inspection).toMatchObject({
      genuine: false,
      code: 'root_not_pinned',
      product: 'Milan',
      signed_by: 'VCEK',
    })
  })

  it.each([
    ['one byte short', (report: Uint8Array) => report.slice(1), 'report_malformed'],
    ['one byte long', (report: Uint8Array) => Uint8Array.of(...report, 0), 'report_malformed'],
    [
      'of a later version',
      (report: Uint8Array) => Uint8Array.of(6, ...report.slice(1)),
      'report_version_unsupported',
    ],
  ])('that is %s is malformed', async (_, change, code) => {
    const report = change(relay.processor.attest({ reportData: new Uint8Array(64) }))
    const { inspection, exitCode } = await inspectEvidence({ report, certificates: [], now: NOW })
    expect(exitCode).toBe(5)
    expect(inspection).toMatchObject({ genuine: false, code, report: null })
  })

  it('with a certificate that is none is malformed', async () => {
    const report = relay.processor.attest({ reportData: new Uint8Array(64) })
    const { inspection, exitCode } = await inspectEvidence({
      report,
      certificates: [Uint8Array.of(0x30)],
      now: NOW,
    })
    expect(exitCode).toBe(5)
    expect(inspection.code).toBe('certificate_malformed')
  })
})
