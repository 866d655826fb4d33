import { createSimulatedProcessor, type ReportFields, type SimulatedProcessor } from '@parley/scripts'
import { type Appraisal, appraiseEvidence, type ProductLine, type SigningKey } from '../../src/index.js'
import { policyWith, REPORT_DATA } from '../policies.js'

export const NOW_MS = Date.UTC(2026, 0, 15)
export const DAY_MS = 86_400_000

const MEASUREMENT = Uint8Array.from({ length: 48 }, (_, at) => at + 1)

/** A chip whose plain report the policy of the vectors takes. */
export const chipOf = (product: ProductLine, signingKey: SigningKey = 'vcek'): Promise<SimulatedProcessor> =>
  createSimulatedProcessor({ product, signingKey, now: NOW_MS, measurement: MEASUREMENT })

type Differences = {
  fields?: Partial<ReportFields>
  policy?: Record<string, unknown>
  crl?: Uint8Array
  now?: number
  certificates?: readonly Uint8Array[]
}

/** Appraises a report of a chip that says something differently, under a policy that asks for something else. */
export const appraise = (chip: SimulatedProcessor, differences: Differences = {}): Promise<Appraisal> => {
  const { fields = {}, policy = {}, crl, now = NOW_MS, certificates = chip.certificates } = differences
  const report = chip.attest({ reportData: REPORT_DATA, ...fields })
  return appraiseEvidence(
    { report, certificates, ...(crl === undefined ? {} : { crl }) },
    { policy: policyWith(policy), reportData: REPORT_DATA },
    { now, roots: [{ certificate: chip.rootCertificate, simulated: true }] },
  )
}

/** What failed, by name and code; nothing where the evidence is trusted. */
export const failures = async (
  chip: SimulatedProcessor,
  differences: Differences = {},
): Promise<Record<string, string | null>> => {
  const { checks, trusted } = await appraise(chip, differences)
  const failed = checks.filter(({ result }) => result === 'failed')
  if (trusted !== (failed.length === 0)) throw new Error('trusted does not follow from the checks')
  return Object.fromEntries(failed.map(({ name, code }) => [name, code]))
}

/** What became of one check. */
export const resultOf = (appraisal: Appraisal, check: string): string | undefined =>
  appraisal.checks.find(({ name }) => name === check)?.result
