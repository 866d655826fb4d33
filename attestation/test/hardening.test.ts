import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AttestationError,
  judgeGenuine,
  parseCertificate,
  parseCertificateTable,
  parseCrl,
  parseQuote,
  parseReport,
  readCertificates,
} from '../src/index.js'
import { genuineInput } from './evidence-folder.js'

const MEBIBYTE = 1 << 20

const PARSERS = {
  parseReport,
  parseQuote,
  parseCertificate,
  parseCertificateTable,
  parseCrl,
  readCertificates: (bytes: Uint8Array) => readCertificates([bytes]),
} as const

const parsers = Object.entries(PARSERS)

const refusal = (parse: (bytes: Uint8Array) => unknown, bytes: Uint8Array): unknown => {
  try {
    parse(bytes)
    return null
  } catch (error) {
    if (error instanceof AttestationError) return error.code
    throw error
  }
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

const filled = (size: number, first: readonly number[], rest: number): Uint8Array => {
  const bytes = new Uint8Array(size).fill(rest)
  bytes.set(first)
  return bytes
}

// SEQUENCE in SEQUENCE in SEQUENCE: each with a length that is right, so that a recursive reader would go all the way.
const nested = (depth: number): Uint8Array => {
  const bytes: number[] = []
  for (let level = 0; level < depth; level++) {
    const inside = bytes.length
    const length =
      inside < 0x80 ? [inside] : inside < 0x100 ? [0x81, inside] : [0x82, inside >> 8, inside & 0xff]
    bytes.unshift(0x30, ...length)
  }
  return Uint8Array.from(bytes)
}

const BOMBS: readonly (readonly [string, Uint8Array])[] = [
  ['ten MiB of zeros', new Uint8Array(10 * MEBIBYTE)],
  ['ten MiB of ones', new Uint8Array(10 * MEBIBYTE).fill(0xff)],
  ['ten MiB that begin as DER', filled(10 * MEBIBYTE, [0x30, 0x84, 0, 0xa0, 0, 0], 0x30)],
  ['ten MiB that begin as short DER', filled(10 * MEBIBYTE, [0x30, 0x82, 0xff, 0xff], 0x30)],
  ['ten MiB of PEM beginnings', text('-----BEGIN CERTIFICATE-----\n'.repeat(370_000))],
  ['ten MiB of white space and then PEM', text(`${' '.repeat(10 * MEBIBYTE)}-----BEGIN CERTIFICATE-----`)],
  ['64 KiB of PEM beginnings', text('-----BEGIN CERTIFICATE-----'.repeat(2400))],
  ['64 KiB of PEM ends', text(`-----BEGIN CERTIFICATE-----${'-----END CERTIFICATE-----'.repeat(2500)}`)],
  [
    '64 KiB of white space in PEM',
    text(`-----BEGIN CERTIFICATE-----${' \n'.repeat(30_000)}-----END CERTIFICATE-----`),
  ],
  ['2000 sequences, each in the next', nested(2000)],
  ['16000 sequences, each in the next', nested(16_000)],
  ['an indefinite length', filled(4096, [0x30, 0x80], 0)],
  ['a length of four bytes', filled(4096, [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], 0)],
  ['a length of 127 bytes', filled(4096, [0x30, 0xff], 0xff)],
]

describe('whatever a stranger hands over', () => {
  it.each(
    parsers.flatMap(([name, parse]) => BOMBS.map(([what, bytes]) => [name, what, parse, bytes] as const)),
  )('%s takes %s for nothing, by a code of ours', (name, _, parse, bytes) => {
    const code = refusal(parse, bytes)
    // Any report may stand before an empty table.
    if (name !== 'parseQuote') expect(code).not.toBeNull()
  })

  it.each(parsers)('%s reads anything at all, or refuses it by a code of ours', (_, parse) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        refusal(parse, bytes)
      }),
      { numRuns: 1000 },
    )
  })

  it.each(BOMBS)('judged as report, as certificate or as CRL, %s is not genuine', async (_, bomb) => {
    const good = genuineInput('milan-v3-vcek')
    expect((await judgeGenuine({ ...good, report: bomb })).genuine).toBe(false)
    expect((await judgeGenuine({ ...good, certificates: [...good.certificates, bomb] })).code).toBe(
      'certificate_malformed',
    )
    expect((await judgeGenuine({ ...good, crl: bomb })).code).toBe('crl_malformed')
  })

  it('is not read where there is too much of it', async () => {
    const good = genuineInput('milan-v3-vcek')
    const many = Array.from({ length: 100_000 }, (_, at) => good.certificates[at % 3] ?? new Uint8Array())
    expect((await judgeGenuine({ ...good, certificates: many })).code).toBe('certificate_malformed')
  })
})

// From and to of each field of a report, as AMD names it (AMD 56860).
const FIELDS: readonly (readonly [string, number, number])[] = [
  ['VERSION', 0x000, 0x004],
  ['GUEST_SVN', 0x004, 0x008],
  ['POLICY', 0x008, 0x010],
  ['FAMILY_ID', 0x010, 0x020],
  ['IMAGE_ID', 0x020, 0x030],
  ['VMPL', 0x030, 0x034],
  ['SIGNATURE_ALGO', 0x034, 0x038],
  ['CURRENT_TCB', 0x038, 0x040],
  ['PLATFORM_INFO', 0x040, 0x048],
  ['SIGNER_INFO', 0x048, 0x04c],
  ['reserved', 0x04c, 0x050],
  ['REPORT_DATA', 0x050, 0x090],
  ['MEASUREMENT', 0x090, 0x0c0],
  ['HOST_DATA', 0x0c0, 0x0e0],
  ['ID_KEY_DIGEST', 0x0e0, 0x110],
  ['AUTHOR_KEY_DIGEST', 0x110, 0x140],
  ['REPORT_ID', 0x140, 0x160],
  ['REPORT_ID_MA', 0x160, 0x180],
  ['REPORTED_TCB', 0x180, 0x188],
  ['CPUID', 0x188, 0x18b],
  ['reserved', 0x18b, 0x1a0],
  ['CHIP_ID', 0x1a0, 0x1e0],
  ['COMMITTED_TCB', 0x1e0, 0x1e8],
  ['CURRENT_VERSION', 0x1e8, 0x1ec],
  ['COMMITTED_VERSION', 0x1ec, 0x1f0],
  ['LAUNCH_TCB', 0x1f0, 0x1f8],
  ['LAUNCH_MIT_VECTOR', 0x1f8, 0x200],
  ['CURRENT_MIT_VECTOR', 0x200, 0x208],
  ['reserved', 0x208, 0x2a0],
  ['r', 0x2a0, 0x2e8],
  ['s', 0x2e8, 0x330],
  ['after s', 0x330, 0x4a0],
]

describe.each(['milan-v3-vcek', 'genoa-v5-vcek', 'turin-v5-vcek', 'milan-v3-vlek'])(
  'every field of %s, with other bytes',
  (name) => {
    const input = genuineInput(name)

    it.each(FIELDS)('%s (from 0x%i)', async (_, from, to) => {
      const values = fc.uint8Array({ minLength: to - from, maxLength: to - from })
      const extremes = [new Uint8Array(to - from), new Uint8Array(to - from).fill(0xff)]
      const judged = async (value: Uint8Array): Promise<void> => {
        const report = input.report.slice()
        report.set(value, from)
        const same = report.every((byte, at) => byte === input.report[at])
        const { genuine, code } = await judgeGenuine({ ...input, report })
        expect({ genuine, refused: code !== null }).toEqual({ genuine: same, refused: !same })
      }
      for (const value of extremes) await judged(value)
      await fc.assert(fc.asyncProperty(values, judged), { numRuns: 15 })
    })
  },
)
