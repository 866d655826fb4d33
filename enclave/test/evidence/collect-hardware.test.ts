import { AttestationError, type Collector } from '@parley/attestation'
import { fromBase64url } from '@parley/protocol'
import { expect, test } from 'vitest'
import { collectHardware } from '../../src/evidence/collect-hardware.js'
import { fresh } from '../boot.js'
import { testChip } from '../chip.js'

const DATA = fresh(64)
const collecting = (collect: Collector['collect']): Collector => ({ platform: 'sev-snp', collect })

test('a report stands with leaf, intermediate and root', async () => {
  const { collector, certificates } = await testChip()
  const hardware = await collectHardware(collector, DATA)
  const { leaf_certificate, intermediate_certificate, root_certificate } = hardware
  const chain = [leaf_certificate, intermediate_certificate, root_certificate]
  expect(chain.map((text) => fromBase64url(text))).toEqual(certificates)
})

test('a CRL of the host stands beside them, and null where there is none', async () => {
  const { collector } = await testChip()
  const crl = Uint8Array.of(1, 2, 3)
  const listed = collecting(async (data) => ({ ...(await collector.collect(data)), crl }))
  expect((await collectHardware(listed, DATA)).crl).toBe('AQID')
  expect((await collectHardware(collector, DATA)).crl).toBeNull()
})

test('a report about something else is report_data_mismatch', async () => {
  const { collector } = await testChip()
  const other = collecting(() => collector.collect(fresh(64)))
  await expect(collectHardware(other, DATA)).rejects.toMatchObject({ code: 'report_data_mismatch' })
})

test('a report without its chain is collateral_missing', async () => {
  const { collector, certificates } = await testChip()
  const bare = collecting(async (data) => ({
    ...(await collector.collect(data)),
    certificates: certificates.slice(0, 1),
  }))
  await expect(collectHardware(bare, DATA)).rejects.toMatchObject({ code: 'collateral_missing' })
})

test.each([
  ['a collector that says so', new AttestationError('collateral_missing', 'none'), 'collateral_missing'],
  ['a busy collector', new AttestationError('collector_busy', 'busy'), 'report_failed'],
  ['a collector that breaks', new Error('broken'), 'report_failed'],
])('%s ends as a closed code', async (_, error, code) => {
  await expect(
    collectHardware(
      collecting(() => Promise.reject(error)),
      DATA,
    ),
  ).rejects.toMatchObject({ code })
})

test.each([
  ['a report that is short', (report: Uint8Array) => report.subarray(1)],
  ['a report of version 1', (report: Uint8Array) => report.map((octet, index) => (index === 0 ? 1 : octet))],
])('%s is report_failed', async (_, change) => {
  const { collector } = await testChip()
  const broken = collecting(async (data) => {
    const collected = await collector.collect(data)
    return { ...collected, report: change(collected.report) }
  })
  await expect(collectHardware(broken, DATA)).rejects.toMatchObject({ code: 'report_failed' })
})

test('bytes that are no certificate are report_failed', async () => {
  const { collector } = await testChip()
  const broken = collecting(async (data) => ({
    ...(await collector.collect(data)),
    certificates: [Uint8Array.of(0x30, 1)],
  }))
  await expect(collectHardware(broken, DATA)).rejects.toMatchObject({ code: 'report_failed' })
})
