import {
  type ProcessorOptions,
  authorityKeys,
  createSimulatedProcessor,
  createSimulatedVendor,
} from '@parley/scripts'
import { type Case, expectedOf } from './case.js'

/** What the chips of the cases are, and what their reports say beside the usual. */
export type Minting = {
  readonly product: ProcessorOptions['product']
  readonly reportVersion: number
  /** What names hold beside the common name; by default that they are simulated. */
  readonly organisation?: NonNullable<Parameters<typeof createSimulatedVendor>[0]['organisation']>
  readonly platformInfo?: bigint
}

/** Cases of so many chips under one simulated vendor, each with a leaf of its own. */
export async function mintCases(
  count: number,
  { product, reportVersion, organisation, platformInfo }: Minting,
): Promise<Case[]> {
  const now = Date.now()
  const keys = await authorityKeys()
  const vendor = createSimulatedVendor({ product, keys, nowMs: now, ...(organisation && { organisation }) })
  const measurement = new Uint8Array(48).fill(0xd3)
  const cases: Case[] = []
  for (let at = 0; at < count; at += 1) {
    const chip = await createSimulatedProcessor({ product, now, measurement, reportVersion, vendor })
    const reportData = new Uint8Array(64).fill(at)
    const report = chip.attest({ reportData, ...(platformInfo !== undefined && { platformInfo }) })
    cases.push({
      name: `simulated ${product}, report version ${reportVersion}`,
      evidence: { report, certificates: chip.certificates },
      expected: expectedOf(report),
      now,
      roots: [{ certificate: chip.rootCertificate, simulated: true }],
    })
  }
  return cases
}
