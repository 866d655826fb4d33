import { type AppraisalPolicy, AttestationError, parseAppraisalPolicy } from '@parley/attestation'
import { signAgentVaultReceiptV1, signAgentVaultReceiptV2, toBase64, toHex, utf8 } from '@parley/protocol'
import { createSimulatedProcessor, examplePolicy, type SimulatedProcessor } from '@parley/scripts'
import { beforeAll, describe, expect, it } from 'vitest'
import { FIRST, KEYS, SECOND } from '../../../scripts/src/agentvault-vectors/session.js'
import { teeReceipt, TRANSCRIPT } from '../../../scripts/src/agentvault-vectors/tee-session.js'
import { verifyAgentVaultReceipt } from '../../src/agentvault/verify-agentvault-receipt.js'
import type { Verdict } from '../../src/verdict.js'
import { failures } from '../judge.js'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const MEASUREMENT = Uint8Array.from({ length: 48 }, (_, at) => at)
const FLOORS = { bootloader: 0, tee: 0, snp: 0, microcode: 0 }
const VERSION = { major: 0, minor: 0, build: 0 }

let processor: SimulatedProcessor
beforeAll(async () => {
  processor = await createSimulatedProcessor({ product: 'Milan', now: NOW, measurement: MEASUREMENT })
})

const policy = (measurement = toHex(MEASUREMENT)): AppraisalPolicy =>
  parseAppraisalPolicy({
    ...examplePolicy(),
    products: ['Milan'],
    measurement: { equals: measurement },
    tcb_minimum: { Milan: FLOORS },
    tcb_floor_list: { any: 'a simulated chip' },
    current_version_minimum: { Milan: VERSION },
  })

const receiptOver = (reportData: Uint8Array) => {
  const { tee_attestation, ...unsigned } = teeReceipt(processor.attest({ reportData }))
  const [leaf = new Uint8Array()] = processor.certificates
  return signAgentVaultReceiptV2(
    { ...unsigned, tee_attestation: { ...tee_attestation, snp_vcek_cert: toBase64(leaf) } },
    KEYS.relay,
  )
}

type Judged = { readonly policy?: AppraisalPolicy; readonly known?: boolean }

const judge = (
  receipt: object,
  { policy: expected = policy(), known = true }: Judged = {},
): Promise<Verdict> =>
  verifyAgentVaultReceipt({
    bytes: utf8(JSON.stringify(receipt)),
    key: KEYS.relay.publicKey,
    artefacts: {},
    report: {
      policy: expected,
      certificates: processor.certificates.slice(1),
      terms: { now: NOW, roots: known ? [{ certificate: processor.rootCertificate, simulated: true }] : [] },
    },
  })

describe('the report in a receipt of the TEE lane', () => {
  it('is genuine and as expected, and a simulated root still gets no leave', async () => {
    const verdict = await judge(receiptOver(TRANSCRIPT))
    expect(failures(verdict)).toEqual({ root_accepted: 'simulated_without_leave' })
    expect(verdict).toMatchObject({
      trusted: false,
      simulated: true,
      exit_code: 3,
      assurance_level: 'SELF_ASSERTED',
      claims: { launch: { status: 'passed' } },
    })
    expect(verdict.hardware.length).toBeGreaterThan(0)
  })

  it('is not genuine under a root that nobody knows', async () => {
    const verdict = await judge(receiptOver(TRANSCRIPT), { known: false })
    expect(failures(verdict)).toEqual({ hardware_genuine: 'root_not_pinned' })
    expect(verdict.exit_code).toBe(2)
  })

  it('is not what the policy expects with another measurement', async () => {
    const verdict = await judge(receiptOver(TRANSCRIPT), { policy: policy('ab'.repeat(48)) })
    expect(failures(verdict)).toMatchObject({ hardware_expected: 'measurement_mismatch' })
  })

  it('is of another session with another transcript', async () => {
    const verdict = await judge(receiptOver(new Uint8Array(64)))
    expect(failures(verdict)).toMatchObject({
      agentvault_report: 'report_data_mismatch',
      hardware_expected: 'report_data_mismatch',
    })
    expect(verdict.exit_code).toBe(4)
  })

  it('is not there, though it was expected, in any other receipt', async () => {
    for (const receipt of [
      signAgentVaultReceiptV1(FIRST, KEYS.relay),
      signAgentVaultReceiptV2(SECOND, KEYS.relay),
    ]) {
      const verdict = await judge(receipt)
      expect(failures(verdict)).toEqual({ hardware_genuine: 'collateral_missing' })
      expect(verdict).toMatchObject({ trusted: false, exit_code: 2 })
    }
  })

  it('that is cut off is malformed, and no more thrown than any other', async () => {
    const { signature: _, ...unsigned } = receiptOver(TRANSCRIPT)
    const quote = toBase64(new Uint8Array(100))
    const cut = signAgentVaultReceiptV2(
      { ...unsigned, tee_attestation: { ...unsigned.tee_attestation, quote } },
      KEYS.relay,
    )
    const verdict = await judge(cut)
    expect(failures(verdict)).toEqual({
      agentvault_report: 'report_malformed',
      hardware_genuine: 'report_malformed',
    })
    expect(verdict.exit_code).toBe(5)
  })

  it('is not judged at a time that is none: that is the caller’s mistake', async () => {
    const call = verifyAgentVaultReceipt({
      bytes: utf8(JSON.stringify(receiptOver(TRANSCRIPT))),
      key: KEYS.relay.publicKey,
      artefacts: {},
      report: { policy: policy(), certificates: [], terms: { now: Number.NaN, roots: [] } },
    })
    await expect(call).rejects.toBeInstanceOf(AttestationError)
  })
})
