import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  AMD_INTERMEDIATES,
  AMD_ROOTS,
  type Evidence,
  failureClass,
  judgeGenuine,
  parseCertificate,
  parseCertificateTable,
  parseCrl,
  readCertificates,
  tableCertificates,
} from '../src/index.js'
import { verifyCrl } from '../src/crl/verify-crl.js'
import { codeOf, fromQuote, readEvidence } from './evidence-folder.js'

// Real evidence of real machines, which this repository does not hold: PARLEY_CORPUS names the folder around `snp`.
// Without it the vectors under ../vectors, made with a simulated processor, stand for the same rules.
const corpus = process.env['PARLEY_CORPUS']
const root = corpus === undefined ? null : join(corpus, 'snp')
const used = root !== null && existsSync(root)

const DAY_MS = 86_400_000
const names = (kind: string): string[] =>
  used && existsSync(join(root, kind)) ? readdirSync(join(root, kind)).sort() : []
const at = (...path: string[]): string => join(root ?? '', ...path)
const bytes = (...path: string[]): Uint8Array => new Uint8Array(readFileSync(at(...path)))

const whenLeafIsFresh = ({ certificates }: Evidence): number =>
  (readCertificates(certificates).find(({ leaf }) => leaf !== null)?.notBeforeMs ?? 0) + DAY_MS

type Expected = {
  product: string | null
  reportVersion: number
  signedBy: string
  fields: { measurement: string; reportData: string; chipId: string; vmpl: number; guestSvn: number }
}

const expectedOf = (...path: string[]): Expected =>
  JSON.parse(readFileSync(at(...path, 'expected.json'), 'utf8')) as Expected

it(`the corpus is ${used ? 'used' : 'not used: PARLEY_CORPUS is not set, the vectors stand in for it'}`, () => {
  expect(names('verified').length > 0).toBe(used)
})

describe.runIf(used)('the corpus of real evidence', () => {
  it.each(names('verified'))('verified/%s is genuine, and AMD vouches for it', async (name) => {
    const evidence = readEvidence(at('verified', name))
    const expected = expectedOf('verified', name)
    const judged = await judgeGenuine({ ...evidence, now: whenLeafIsFresh(evidence) })
    expect(judged).toMatchObject({
      genuine: true,
      code: null,
      simulated: false,
      product: expected.product,
      report_version: expected.reportVersion,
      signed_by: expected.signedBy.toLowerCase(),
      report: {
        measurement: expected.fields.measurement,
        report_data: expected.fields.reportData,
        chip_id: expected.fields.chipId,
        vmpl: expected.fields.vmpl,
        guest_svn: expected.fields.guestSvn,
      },
    })
  })

  it.each(names('verified'))(
    'verified/%s is not genuine a day before its leaf, nor with a turned bit',
    async (name) => {
      const evidence = readEvidence(at('verified', name))
      const now = whenLeafIsFresh(evidence)
      expect((await judgeGenuine({ ...evidence, now: now - 2 * DAY_MS })).code).toBe(
        'certificate_not_yet_valid',
      )
      const report = new Uint8Array(evidence.report)
      report[0x90] = (report[0x90] ?? 0) ^ 1
      expect((await judgeGenuine({ ...evidence, report, now })).code).toBe('report_signature_invalid')
    },
  )

  it.each(names('report-only'))(
    'report-only/%s lacks its collateral, or is malformed in version 1',
    async (name) => {
      const judged = await judgeGenuine({
        ...readEvidence(at('report-only', name)),
        now: Date.UTC(2026, 0, 1),
      })
      const version = expectedOf('report-only', name).reportVersion
      expect(judged).toMatchObject({
        genuine: false,
        code: version === 1 ? 'report_malformed' : 'collateral_missing',
        report_version: version,
      })
    },
  )

  const tables = names('extended').filter(
    (name) => name !== 'malformed' && !name.startsWith('real-go-sev-guest'),
  )

  it.each(tables)('extended/%s: the table holds the entries that are listed', (name) => {
    const { entries } = JSON.parse(readFileSync(at('extended', name, 'expected.json'), 'utf8')) as {
      entries: { guid: string; contentSha256: string }[]
    }
    const table = parseCertificateTable(bytes('extended', name, 'auxblob.bin'))
    const found = table.map(({ guid, data }) => [guid, createHash('sha256').update(data).digest('hex')])
    expect(found).toEqual(entries.map(({ guid, contentSha256 }) => [guid, contentSha256]))
  })

  it.each(tables)('extended/%s is genuine where its table is complete', async (name) => {
    const certificates = tableCertificates(parseCertificateTable(bytes('extended', name, 'auxblob.bin')))
    const evidence = { report: bytes('extended', name, 'report.bin'), certificates }
    const { genuine, code } = await judgeGenuine({ ...evidence, now: whenLeafIsFresh(evidence) })
    const leafOnly = name.endsWith('leaf-only')
    expect({ genuine, code }).toEqual({ genuine: !leafOnly, code: leafOnly ? 'collateral_missing' : null })
  })

  const quotes = names('extended').filter((name) => existsSync(at('extended', name, 'quote.bin')))

  it.each(quotes)('extended/%s: a raw quote is taken apart', async (name) => {
    const evidence = fromQuote(bytes('extended', name, 'quote.bin'))
    const { code } = await judgeGenuine({ ...evidence, now: whenLeafIsFresh(evidence) })
    expect(code).toBe(name.endsWith('leaf-only') || name.startsWith('real-go') ? 'collateral_missing' : null)
  })

  const malformed = existsSync(at('extended', 'malformed'))
    ? (JSON.parse(readFileSync(at('extended', 'malformed', 'expected.json'), 'utf8')) as Record<
        string,
        string
      >)
    : {}

  it.each(Object.entries(malformed))(
    'extended/malformed/%s: %s; where two answers are allowed, refused',
    async (name, verdict) => {
      const code = await codeOf(() => parseCertificateTable(bytes('extended', 'malformed', `${name}.bin`)))
      expect(code).toBe(verdict.includes('reject') ? 'certificate_table_malformed' : null)
    },
  )

  it.each([...AMD_ROOTS, ...AMD_INTERMEDIATES])(
    'the pin of $name is computed from its certificate',
    (pin) => {
      const certificate = parseCertificate(bytes('roots', `${pin.name}.der`))
      const sha256 = (part: Uint8Array): string => createHash('sha256').update(part).digest('hex')
      expect(certificate.subject.commonName).toBe(pin.name)
      expect(sha256(certificate.der)).toBe(pin.certificate)
      expect(sha256(certificate.publicKey.spki)).toBe(pin.spki)
    },
  )

  const withCrl = async (evidence: Evidence, crl: Uint8Array, now: number): Promise<string | null> =>
    (await judgeGenuine({ ...evidence, crl, now })).code
  const named = (part: string): Evidence => {
    const [name = ''] = names('verified').filter((one) => one.startsWith(part))
    return readEvidence(at('verified', name))
  }

  it.each([
    ['Milan', 6n, []],
    ['Genoa', 4n, ['020001']],
  ] as const)('the CRL of ARK-%s is read: number and entries', (product, number, revoked) => {
    const crl = parseCrl(bytes('roots', `ARK-${product}.crl`))
    expect(crl.number).toBe(number)
    expect([...crl.revoked.keys()]).toEqual(revoked)
    expect(crl.issuer.commonName).toBe(`ARK-${product}`)
  })

  it.each([
    ['Milan', 'milan-v3-vcek'],
    ['Genoa', 'genoa-v3-vcek'],
    ['Genoa', 'bergamo-siena-v3'],
  ])("the CRL of ARK-%s is the root's, and revokes nothing of %s", async (product, part) => {
    const evidence = named(part)
    const crl = bytes('roots', `ARK-${product}.crl`)
    const now = Math.max(whenLeafIsFresh(evidence), parseCrl(crl).thisUpdateMs)
    expect(await withCrl(evidence, crl, now)).toBe(null)
    expect(await withCrl(evidence, crl, parseCrl(crl).thisUpdateMs - 1)).not.toBe(null)
    const other = bytes('roots', `ARK-${product === 'Milan' ? 'Genoa' : 'Milan'}.crl`)
    expect(await withCrl(evidence, other, now)).toBe('crl_issuer_mismatch')
    const turned = crl.map((byte, index) => (index === crl.length - 1 ? byte ^ 1 : byte))
    expect(await withCrl(evidence, turned, now)).toBe('crl_signature_invalid')
  })

  it('the CRL of ARK-Milan is of a time after the VLEKs here ended, and they are judged against it all the same', async () => {
    const evidence = named('milan-v2-vlek')
    const crl = bytes('roots', 'ARK-Milan.crl')
    expect(await withCrl(evidence, crl, whenLeafIsFresh(evidence))).toBe('crl_not_yet_valid')
  })

  it('the CRL of ARK-Genoa revokes an intermediate with the serial number 020001', async () => {
    const [root, intermediate] = readCertificates([
      bytes('roots', 'ARK-Genoa.der'),
      bytes('roots', 'SEV-Genoa.der'),
    ])
    if (root === undefined || intermediate === undefined) throw new Error('no roots')
    const crl = parseCrl(bytes('roots', 'ARK-Genoa.crl'))
    const judge = (serial: Uint8Array): Promise<string | null> =>
      codeOf(() => verifyCrl(crl, { root, intermediate: { ...intermediate, serial } }, crl.thisUpdateMs))
    expect(await judge(Uint8Array.of(2, 0, 1))).toBe('certificate_revoked')
    expect(await judge(intermediate.serial)).toBe(null)
  })

  it('no real evidence fails as anything but its class', () => {
    expect(failureClass('collateral_missing')).toBe('not_genuine')
    expect(failureClass('report_malformed')).toBe('malformed')
  })
})
