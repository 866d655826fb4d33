import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chipOf, DAY_MS, NOW_MS } from '../policy/simulated-appraisal.js'
import { AttestationError, judgeGenuine, parseCrl } from '../../src/index.js'
import { codeOf } from '../evidence-folder.js'

const chip = await chipOf('Milan')
const entry = (serial: number): { serial: Uint8Array; revokedAtMs: number } => ({
  serial: Uint8Array.of(2, 0, serial),
  revokedAtMs: NOW_MS - DAY_MS,
})
const crl = chip.vendor.issueCrl({ revoked: [entry(1), entry(2)] })

const flip = (bytes: Uint8Array, at: number, bit = 0): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))

describe('a list of revoked certificates', () => {
  it('is read: issuer, times, number, entries', () => {
    const { issuer, thisUpdateMs, nextUpdateMs, number, revoked, signature } = parseCrl(crl)
    expect(issuer.commonName).toBe('ARK-Milan')
    expect([thisUpdateMs, nextUpdateMs]).toEqual([NOW_MS - 7 * DAY_MS, NOW_MS + 365 * DAY_MS])
    expect(number).toBe(7n)
    expect([...revoked]).toEqual([
      ['020001', NOW_MS - DAY_MS],
      ['020002', NOW_MS - DAY_MS],
    ])
    expect(signature).toHaveLength(512)
  })

  it('is a copy: who keeps the buffer changes nothing', () => {
    const buffer = crl.slice()
    const { der } = parseCrl(buffer)
    buffer.fill(0)
    expect(der).toEqual(crl)
  })

  it('holds as many entries as fit, and is refused with more', async () => {
    const revoked = Array.from({ length: 2500 }, (_, at) => ({
      serial: Uint8Array.of(1, at >> 8, at & 0xff),
      revokedAtMs: NOW_MS - DAY_MS,
    }))
    expect(parseCrl(chip.vendor.issueCrl({ revoked })).revoked.size).toBe(2500)
    const more = Array.from({ length: 4000 }, (_, at) => ({
      serial: Uint8Array.of(1, at >> 8, at & 0xff),
      revokedAtMs: NOW_MS - DAY_MS,
    }))
    expect(await codeOf(() => parseCrl(chip.vendor.issueCrl({ revoked: more })))).toBe('crl_malformed')
  })

  it('cut short anywhere is malformed', async () => {
    for (let size = 0; size < crl.length; size++)
      expect(await codeOf(() => parseCrl(crl.subarray(0, size)))).toBe('crl_malformed')
  })

  it('with a turned bit anywhere makes evidence not genuine, by a code of ours', async () => {
    const roots = [{ certificate: chip.rootCertificate, simulated: true as const }]
    const input = { report: chip.attest({}), certificates: chip.certificates, now: NOW_MS, roots }
    const codes = ['crl_malformed', 'crl_issuer_mismatch', 'crl_signature_invalid']
    for (let at = 0; at < crl.length; at++) {
      const { genuine, code } = await judgeGenuine({ ...input, crl: flip(crl, at, at % 8) })
      expect({ at, genuine, ours: codes.includes(code ?? '') }).toEqual({ at, genuine: false, ours: true })
    }
  })

  it('that is anything at all is read, or refused as malformed and as nothing else', () => {
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 2048 }),
      fc
        .array(fc.tuple(fc.nat(crl.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
        .map((changes) => {
          const bytes = crl.slice()
          for (const [at, value] of changes) bytes[at] = value
          return bytes
        }),
    )
    fc.assert(
      fc.property(garbage, (bytes) => {
        try {
          expect(parseCrl(bytes).der).toEqual(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(AttestationError)
          expect((error as AttestationError).code).toBe('crl_malformed')
        }
      }),
      { numRuns: 2000 },
    )
  })
})
