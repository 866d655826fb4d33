import { describe, expect, it } from 'vitest'
import { appraiseBoot, type BootEvidence } from '../../src/index.js'
import { failures } from './kit.js'
import { readRecorded, RECORDINGS } from './recorded.js'

const FILES = [
  'SOURCE.md',
  'ak-certificate-0.der',
  'ak-certificate-1.der',
  'ak-public.bin',
  'boot-policy.json',
  'event-log.bin',
  'evidence.json',
  'exchanges.json',
  'expect.json',
  'hardware-policy.json',
  'processor-root.der',
  'qualifying-data.bin',
  'quote.bin',
  'signature.bin',
  'tpm-root.der',
]

const last = (bytes: Uint8Array): Uint8Array => {
  const changed = Uint8Array.from(bytes)
  changed[bytes.length - 1] = (changed[bytes.length - 1] ?? 0) ^ 1
  return changed
}

describe.each(RECORDINGS)('the recording %s of a software TPM', (name) => {
  const { evidence, expected, now, tpmRoots, files } = readRecorded(name)
  const judge = (changes: Partial<BootEvidence> = {}, wanted = expected) =>
    appraiseBoot({ ...evidence, ...changes }, wanted, { now, tpmRoots })
  const [other = ''] = RECORDINGS.filter((each) => each !== name)
  const foreign = readRecorded(other)

  it('holds in every step, under a simulated root', async () => {
    const appraisal = await judge()
    expect(failures(appraisal)).toEqual({})
    expect(appraisal.checks.map(({ result }) => result)).not.toContain('not_run')
    expect(appraisal.root).toBe('simulated root')
  })

  it('is refused with a changed quote, signature or key', async () => {
    expect(failures(await judge({ quote: last(evidence.quote) }))).toEqual({
      boot_quote: 'quote_signature_invalid',
      boot_log: 'event_log_mismatch',
    })
    expect(failures(await judge({ signature: last(evidence.signature) }))).toEqual({
      boot_quote: 'quote_signature_invalid',
    })
    expect(failures(await judge({ akPublic: last(evidence.akPublic) }))).toMatchObject({
      boot_key: 'attestation_key_mismatch',
      boot_quote: 'quote_signature_invalid',
      boot_root: 'attestation_key_mismatch',
    })
  })

  it('is refused with the log, key, certificates or quote of the other recording', async () => {
    const { eventLog, akPublic, akCertificates, quote, signature } = foreign.evidence
    expect(failures(await judge({ eventLog }))).toEqual({ boot_log: 'event_log_mismatch' })
    expect(failures(await judge({ akPublic }))).toMatchObject({ boot_key: 'attestation_key_mismatch' })
    expect(failures(await judge({ akCertificates }))).toEqual({ boot_root: 'attestation_key_mismatch' })
    expect(failures(await judge({ quote, signature }))).toMatchObject({
      boot_quote: 'quote_signature_invalid',
      boot_qualifying_data: 'qualifying_data_mismatch',
    })
  })

  it('is refused for another report, keyset or record', async () => {
    const qualifyingData = last(expected.qualifyingData)
    expect(failures(await judge({}, { ...expected, qualifyingData }))).toEqual({
      boot_qualifying_data: 'qualifying_data_mismatch',
    })
  })

  it('is refused where another boot is expected', async () => {
    const { policy } = foreign.expected
    expect(Object.keys(failures(await judge({}, { ...expected, policy }))).length).toBe(
      name.includes('without') ? 2 : 0,
    )
  })

  it('holds nothing that no test reads', () => {
    expect(files).toEqual(FILES)
  })
})
