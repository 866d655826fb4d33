import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  encodeCertificateTable,
  judgeGenuine,
  kdsPath,
  parseQuote,
  parseReport,
  TABLE_GUID,
  tableCertificates,
  vcekItemOf,
} from '@parley/attestation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Machine, machine, NOW } from '../../../attestation/test/collateral/simulated-kds.js'
import { type KdsServer, serveKds } from '../../../attestation/test/node/collateral/kds-server.js'
import { run } from '../../src/node/index.js'

const UNKNOWN = '00112233-4455-6677-8899-aabbccddeeff'

const folder = mkdtempSync(join(tmpdir(), 'parley-collateral-'))
let names = 0
const fresh = (name: string): string => join(folder, `${++names}-${name}`)
const file = (name: string, content: Uint8Array | string): string => {
  const path = fresh(name)
  writeFileSync(path, content)
  return path
}
const folderOf = (files: Readonly<Record<string, Uint8Array>>): string => {
  const path = fresh('evidence')
  mkdirSync(path)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, name), bytes)
  return path
}

const cli = async (...argv: readonly string[]) => {
  const printed = { out: '', err: '' }
  const io = {
    out: (text: string) => void (printed.out += text),
    err: (text: string) => void (printed.err += text),
    now: NOW,
  }
  const code = await run(['collateral', ...argv], io)
  return { code, ...printed }
}

let milan: Machine
let root: string
let server: KdsServer
beforeAll(async () => {
  milan = await machine('Milan')
  root = file('root.der', milan.processor.rootCertificate)
  server = await serveKds({
    '/vcek/v1/Milan/cert_chain': [milan.chainPem],
    [kdsPath(vcekItemOf(parseReport(milan.report), 'Milan'))]: [milan.leaf],
    '/vcek/v1/Milan/crl': [milan.crl()],
  })
})
afterAll(() => server.close())

const bare = (): string => folderOf({ 'report.bin': milan.report })
const whole = (): string =>
  folderOf({
    'report.bin': milan.report,
    'vcek.der': milan.leaf,
    'chain.pem': milan.chainPem,
    'ark.crl': milan.crl(),
    [`${UNKNOWN}.bin`]: Uint8Array.of(1, 2, 3),
    'README.md': Uint8Array.of(35),
  })
const quote = (): Uint8Array =>
  Buffer.concat([
    milan.report,
    encodeCertificateTable([
      { guid: TABLE_GUID.vcek, data: milan.leaf },
      { guid: TABLE_GUID.firmware_endorsement, data: Uint8Array.of(9, 9) },
    ]),
  ])

describe('parley-verify collateral fetch', () => {
  const fetched = (path: string, cache: string, ...more: readonly string[]) =>
    cli('fetch', path, '--cache', cache, '--root', root, '--kds', server.url, ...more)

  it('has the cache hold what a report needs, and then needs nobody', async () => {
    const cache = fresh('cache')
    const first = await fetched(bare(), cache)
    expect(first.code).toBe(0)
    expect(first.out).toMatch(
      /^chain {2}vcek-Milan-chain\.pem: kds\nleaf {3}vcek: kds\ncrl {4}vcek-Milan\.crl: kds\n$/,
    )
    expect(readdirSync(cache)).toHaveLength(3)
    const asked = server.asked.length
    const second = await fetched(bare(), cache, '--offline', '--json')
    expect(second.code).toBe(0)
    expect(JSON.parse(second.out)).toMatchObject({ complete: true, items: [{ source: 'cache' }, {}, {}] })
    expect(server.asked).toHaveLength(asked)
  })

  it('asks only for what the evidence lacks', async () => {
    const { out } = await fetched(file('quote.bin', quote()), fresh('cache'))
    expect(out).toMatch(/chain.*: kds\nleaf.*: evidence\ncrl.*: kds\n/)
  })

  it('exits 3 and says why where something is not to be had', async () => {
    const { code, out } = await fetched(bare(), fresh('cache'), '--offline')
    expect(code).toBe(3)
    expect(out).toMatch(/^chain {2}vcek-Milan-chain\.pem: missing, collateral_missing\n/)
    const busy = await serveKds({ '/vcek/v1/Milan/cert_chain': [{ status: 429, retryAfter: '3600' }] })
    const throttled = await fetched(bare(), fresh('cache'), '--kds', busy.url)
    await busy.close()
    expect([throttled.code, throttled.out]).toEqual([3, expect.stringContaining('collateral_throttled')])
  })

  it('does not take AMD’s names for AMD’s: without the root nothing is complete', async () => {
    const { code, out } = await cli('fetch', whole(), '--cache', fresh('cache'), '--offline')
    expect([code, out]).toEqual([3, expect.stringContaining('chain  vcek-Milan-chain.pem: missing')])
  })

  it.each<[string, () => readonly string[], number]>([
    ['a path where nothing is', () => [join(folder, 'none'), '--cache', fresh('cache')], 1],
    ['a folder without a report', () => [folderOf({}), '--cache', fresh('cache')], 1],
    ['no cache', () => [bare()], 1],
    ['a cache that is a file', () => [bare(), '--cache', root], 1],
    ['an unknown product line', () => [bare(), '--cache', fresh('cache'), '--product', 'Rome'], 1],
    [
      'a report that is short',
      () => [folderOf({ 'report.bin': new Uint8Array(9) }), '--cache', fresh('cache')],
      5,
    ],
    ['a quote that is short', () => [file('quote.bin', new Uint8Array(9)), '--cache', fresh('cache')], 5],
    ['a document that is none', () => [file('evidence.json', '{}'), '--cache', fresh('cache')], 5],
    [
      'a broken certificate',
      () => [
        folderOf({ 'report.bin': milan.report, 'x.der': Uint8Array.of(0x30) }),
        '--cache',
        fresh('cache'),
      ],
      5,
    ],
  ])('ends for %s without asking anybody', async (_, argv, code) => {
    const asked = server.asked.length
    expect((await cli('fetch', ...argv(), '--offline')).code).toBe(code)
    expect(server.asked).toHaveLength(asked)
  })
})

describe('a mirror of KDS', () => {
  it('is asked by https, or by http on this machine, and by nothing else', async () => {
    const { code, err } = await cli('fetch', bare(), '--cache', fresh('cache'), '--kds', 'http://192.0.2.1')
    expect([code, err]).toEqual([1, expect.stringContaining('argument_invalid')])
  })
})

describe('parley-verify collateral show', () => {
  it('lists what lies in a folder, and says that nothing is verified', async () => {
    const { code, out } = await cli('show', whole())
    expect(code).toBe(0)
    expect(out).toMatch(/^NOT VERIFIED/)
    for (const text of [
      /report\n {2}signed by {3}vcek\n/,
      /certificate in vcek\.der\n {2}subject {5}SEV-VCEK\n {2}issuer {6}SEV-Milan\n {2}serial {6}00\n/,
      /pin {9}none\n/,
      /tcb {9}bootloader 4, tee 0, snp 24, microcode 219\n/,
      /certificate in chain\.pem\n {2}subject {5}ARK-Milan\n/,
      /crl in ark\.crl\n {2}issuer {6}ARK-Milan\n {2}number {6}7\n/,
      /revoked {5}nothing\n/,
      new RegExp(`entry ${UNKNOWN} \\(unknown\\), 3 bytes\n$`),
    ])
      expect(out).toMatch(text)
  })

  it('shows certificates and CRLs that do not count at the time that it is told', async () => {
    const { out } = await cli('show', whole(), '--now', '2060-01-01')
    expect(out.match(/NOT NOW/g)).toHaveLength(4)
  })

  it('lists the entries of a quote, and more from another folder', async () => {
    const certs = folderOf({ 'chain.pem': milan.chainPem })
    const { code, out } = await cli('show', file('quote.bin', quote()), '--certs', certs, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      report: { signed_by: 'vcek' },
      certificates: [
        { found: 'table entry vcek', leaf: { kind: 'vcek', provider: null } },
        { found: 'chain.pem', subject: 'SEV-Milan', leaf: null, valid_now: true },
        { found: 'chain.pem', subject: 'ARK-Milan', pin: null },
      ],
      others: [{ guid: TABLE_GUID.firmware_endorsement, name: 'firmware_endorsement', bytes: 2 }],
    })
  })

  it.each([
    ['cert.der', () => milan.leaf, /certificate in .*cert\.der/],
    ['list.crl', () => milan.crl(), /crl in .*list\.crl/],
  ])('shows one file by its extension: %s', async (name, bytes, text) => {
    expect((await cli('show', file(name, bytes()))).out).toMatch(text)
  })

  it.each([
    ['x.crl', 'crl_malformed'],
    ['x.der', 'certificate_malformed'],
  ])('exits 5 where %s can not be read', async (name, code) => {
    const shown = await cli('show', folderOf({ [name]: Uint8Array.of(0x30) }))
    expect([shown.code, shown.err]).toEqual([5, expect.stringContaining(code)])
  })
})

describe('parley-verify collateral pack', () => {
  const pack = (path: string, ...more: readonly string[]) => cli('pack', path, '--root', root, ...more)

  it('writes a quote that a verifier needs nothing beside', async () => {
    const out = fresh('quote.bin')
    expect((await pack(whole(), '--out', out)).code).toBe(0)
    const { report, table } = parseQuote(new Uint8Array(readFileSync(out)))
    expect(table.map(({ name }) => name)).toEqual(['vcek', 'ask', 'ark', 'crl', null])
    const judged = await judgeGenuine({
      report,
      certificates: tableCertificates(table),
      now: NOW,
      roots: milan.roots,
    })
    expect(judged.genuine).toBe(true)
  })

  it('writes a folder, and the one can be made of the other', async () => {
    const [first, unpacked, again] = [fresh('quote.bin'), fresh('folder'), fresh('quote.bin')]
    await pack(whole(), '--out', first)
    expect((await pack(first, '--out', unpacked, '--as', 'folder')).code).toBe(0)
    expect(readdirSync(unpacked).sort()).toEqual(
      [`${UNKNOWN}.bin`, 'ark.crl', 'ark.der', 'ask.der', 'report.bin', 'vcek.der'].sort(),
    )
    expect((await pack(unpacked, '--out', again)).code).toBe(0)
    expect(readFileSync(again)).toEqual(readFileSync(first))
  })

  it('takes what is missing from a cache', async () => {
    const [cache, out] = [fresh('cache'), fresh('quote.bin')]
    await cli('fetch', bare(), '--cache', cache, '--root', root, '--kds', server.url)
    const asked = server.asked.length
    const packed = await pack(bare(), '--cache', cache, '--out', out)
    expect([packed.code, packed.out]).toEqual([0, expect.stringContaining('leaf   vcek: cache')])
    expect(server.asked).toHaveLength(asked)
  })

  it('writes nothing where something is missing', async () => {
    const out = fresh('quote.bin')
    expect((await pack(file('quote.bin', quote()), '--out', out)).code).toBe(3)
    expect(existsSync(out)).toBe(false)
  })

  it('does without a CRL only where it is told to', async () => {
    const path = folderOf({ 'report.bin': milan.report, 'vcek.der': milan.leaf, 'chain.pem': milan.chainPem })
    const out = fresh('quote.bin')
    expect((await pack(path, '--out', out)).code).toBe(3)
    expect((await pack(path, '--out', out, '--no-crl')).code).toBe(0)
    expect(parseQuote(new Uint8Array(readFileSync(out))).table).toHaveLength(3)
  })

  it('writes over nothing', async () => {
    const out = file('quote.bin', 'kept')
    expect((await pack(whole(), '--out', out)).code).toBe(1)
    expect(readFileSync(out, 'utf8')).toBe('kept')
  })

  it('knows two forms', async () => {
    expect((await pack(whole(), '--out', fresh('zip'), '--as', 'zip')).code).toBe(1)
  })
})
