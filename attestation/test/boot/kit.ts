import { createHash, randomBytes } from 'node:crypto'
import { bootOfImage, createSimulatedTpm, type LoggedEvent, type SimulatedTpm } from '@parley/scripts'
import {
  appraiseBoot,
  type BootAppraisal,
  type BootEvidence,
  type BootPolicy,
  type ExpectedBoot,
  parseBootPolicy,
  type TpmRoot,
} from '../../src/index.js'

export const NOW = Date.UTC(2026, 10, 30)
export const DAY = 86_400_000
export const DATES = { notBeforeMs: NOW - DAY, notAfterMs: NOW + DAY }

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()

export const UKI = sha256('the image')
export const INNER_KERNEL = sha256('the kernel in the image')
export const COMMAND_LINE = 'quiet lockdown=confidentiality'

export const IMAGE = {
  uki: UKI,
  commandLine: COMMAND_LINE,
  secureBoot: true,
  innerKernel: INNER_KERNEL,
}

export const POLICY = {
  accept: { launch: ['amd'], boot: ['google'], app: ['google'] },
  pcrs: { '0': { any: "the provider's firmware" } },
  secure_boot: 'required',
  uki: { equals: hex(UKI) },
  inner_kernels: [hex(INNER_KERNEL)],
  command_line: { equals: hex(sha256(COMMAND_LINE)) },
}

/** A machine that booted, what it was asked, and what it hands over. */
export type Machine = {
  readonly tpm: SimulatedTpm
  readonly evidence: BootEvidence
  readonly expected: ExpectedBoot
  readonly tpmRoots: readonly TpmRoot[]
}

export const machine = async (
  events: readonly LoggedEvent[] = bootOfImage(IMAGE),
  options: { readonly attributes?: number } = {},
): Promise<Machine> => {
  const tpm = await createSimulatedTpm({ events, dates: DATES, ...options })
  const qualifyingData = new Uint8Array(randomBytes(32))
  const { attester, rootCertificate } = tpm
  return {
    tpm,
    evidence: { ...attester.record, ...(await attester.quote(qualifyingData)) },
    expected: { keyDigest: attester.keyDigest, qualifyingData, policy: parseBootPolicy(POLICY) },
    tpmRoots: [{ certificate: rootCertificate, kind: 'google' }],
  }
}

export const judge = (
  { evidence, expected, tpmRoots }: Machine,
  changes: Partial<BootEvidence> = {},
): Promise<BootAppraisal> => appraiseBoot({ ...evidence, ...changes }, expected, { now: NOW, tpmRoots })

/** Codes by check, of those that failed. */
export const failures = ({ checks }: BootAppraisal): Record<string, string> =>
  Object.fromEntries(
    checks.filter(({ result }) => result === 'failed').map(({ name, code }) => [name, String(code)]),
  )

export const policyWith = (changes: object): BootPolicy => parseBootPolicy({ ...POLICY, ...changes })
