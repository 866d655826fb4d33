import fc from 'fast-check'
import { bootOfImage, encodeEventLog, encodeQuote, rsaPublic } from '@parley/scripts'
import { beforeAll, describe, expect, it } from 'vitest'
import { AttestationError, type AttestationErrorCode } from '../../src/index.js'
import { parseAttestationKey } from '../../src/boot/parse-attestation-key.js'
import { parseEventLog } from '../../src/boot/parse-event-log.js'
import { parsePcrQuote } from '../../src/boot/parse-pcr-quote.js'
import { parseQuoteSignature } from '../../src/boot/parse-quote-signature.js'
import { parseTpmCertificate } from '../../src/boot/tpm-certificate.js'
import { IMAGE, type Machine, machine } from './kit.js'

type Parse = (bytes: Uint8Array) => unknown

const codeOf = (parse: Parse, bytes: Uint8Array): AttestationErrorCode | null => {
  try {
    parse(bytes)
    return null
  } catch (error) {
    if (error instanceof AttestationError) return error.code
    throw error
  }
}

describe('parsers of boot evidence', () => {
  let honest: Machine
  beforeAll(async () => {
    honest = await machine()
  })

  const parsers: readonly (readonly [string, Parse, () => Uint8Array, AttestationErrorCode])[] = [
    ['a key', parseAttestationKey, () => honest.evidence.akPublic, 'boot_evidence_malformed'],
    [
      'an RSA key',
      parseAttestationKey,
      () => rsaPublic(new Uint8Array(256).fill(255)),
      'boot_evidence_malformed',
    ],
    ['a quote', parsePcrQuote, () => honest.evidence.quote, 'boot_evidence_malformed'],
    ['a signature', parseQuoteSignature, () => honest.evidence.signature, 'boot_evidence_malformed'],
    ['a log', parseEventLog, () => honest.evidence.eventLog, 'event_log_malformed'],
    [
      'a certificate',
      parseTpmCertificate,
      () => honest.evidence.akCertificates[0] ?? new Uint8Array(),
      'certificate_malformed',
    ],
  ]

  it.each(parsers)(
    'read %s, and never throw but their own errors, whatever it is changed to',
    (_, parse, whole, code) => {
      const bytes = whole()
      expect(codeOf(parse, bytes)).toBeNull()
      const place = fc.nat(bytes.length - 1)
      fc.assert(
        fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
          const changed = Uint8Array.from(bytes)
          for (const [at, value] of changes) changed[at] = value
          expect([null, code]).toContain(codeOf(parse, changed))
        }),
      )
    },
  )

  it.each(parsers)('refuse %s of any other bytes', (_, parse, __, code) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect([null, code]).toContain(codeOf(parse, bytes))
      }),
    )
  })

  it.each(parsers)('refuse %s that ends too early or too late', (_, parse, whole, code) => {
    const bytes = whole()
    for (let length = 0; length < bytes.length; length += 1 + Math.floor(bytes.length / 64)) {
      const cut = codeOf(parse, bytes.subarray(0, length))
      // A log may end after any event.
      expect(parse === parseEventLog ? [null, code] : [code]).toContain(cut)
    }
    expect(codeOf(parse, Uint8Array.of(...bytes, 0))).toBe(code)
  })

  it('refuse what a TPM attests beside registers, and what it did not make', () => {
    const { quote } = honest.evidence
    for (const [at, value] of [
      [0, 0xfe],
      [5, 0x14],
    ] as const) {
      const changed = Uint8Array.from(quote)
      changed[at] = value
      expect(codeOf(parsePcrQuote, changed)).toBe('boot_evidence_malformed')
    }
  })

  it('read which registers are quoted', () => {
    const pcrs = [0, 4, 7, 8, 23]
    const quote = encodeQuote({ qualifyingData: new Uint8Array(32), pcrs, pcrDigest: new Uint8Array(32) })
    expect(parsePcrQuote(quote).pcrs).toEqual(pcrs)
  })

  it('refuse a log of over 64 KiB, or of too many events', () => {
    const events = bootOfImage(IMAGE)
    const long = { pcr: 1, type: 1, data: new Uint8Array(65_536) }
    expect(codeOf(parseEventLog, encodeEventLog([...events, long]))).toBe('event_log_malformed')
    const many = Array.from({ length: 400 }, () => ({ pcr: 1, type: 1, data: new Uint8Array(80) }))
    expect(codeOf(parseEventLog, encodeEventLog(many))).toBe('event_log_malformed')
    expect(codeOf(parseEventLog, encodeEventLog([{ pcr: 24, type: 1, data: new Uint8Array() }]))).toBe(
      'event_log_malformed',
    )
  })

  it('take the locality of a start-up from the log once, and well formed', () => {
    const locality = (...data: number[]) => ({
      pcr: 0,
      type: 3,
      data: Uint8Array.of(...Buffer.from('StartupLocality\0', 'ascii'), ...data),
    })
    expect(parseEventLog(encodeEventLog([locality(3)])).startupLocality).toBe(3)
    for (const events of [
      [locality(3), locality(3)],
      [locality(9)],
      [locality()],
      [{ ...locality(0), pcr: 1 }],
    ])
      expect(codeOf(parseEventLog, encodeEventLog(events))).toBe('event_log_malformed')
  })
})
