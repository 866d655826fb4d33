import { beforeAll, describe, expect, it } from 'vitest'
import { judgeGenuine, readCertificates, TABLE_GUID } from '../../src/index.js'
import { assembleReport } from '../../src/node/assemble-report.js'
import { parseCrl } from '../../src/crl/parse-crl.js'
import { DAY_MS, type Machine, machine, NOW } from '../collateral/simulated-kds.js'
import { codeOf, genuineInput } from '../evidence-folder.js'
import { type Row, tableOf, tableOfRows } from './table-of.js'

const { report, certificates } = genuineInput('milan-v3-vcek')
const vlek = genuineInput('milan-v3-vlek')
const byLength = [...certificates].sort((left, right) => left.length - right.length)

const assemble = (certificateTable: Uint8Array, more: readonly Uint8Array[] = []) =>
  assembleReport({ report, certificateTable }, { certificates: readCertificates(more), crls: [] })

describe('the certificates that come with a report', () => {
  it('are missing where the host hands over nothing', async () => {
    expect(await codeOf(() => assemble(new Uint8Array()))).toBe('collateral_missing')
  })

  it('are missing where the host hands over the leaf alone', async () => {
    expect(await codeOf(() => assemble(tableOf(byLength.slice(0, 1))))).toBe('collateral_missing')
  })

  it('may be at hand instead, as on a provider that hands over its VLEK alone', async () => {
    const [leaf, ...authorities] = [...vlek.certificates].sort((left, right) => left.length - right.length)
    const certificateTable = tableOf(leaf === undefined ? [] : [leaf])
    const more = { certificates: readCertificates(authorities), crls: [] }
    const assembled = assembleReport({ report: vlek.report, certificateTable }, more)
    expect(assembled.certificates).toHaveLength(3)
    expect((await judgeGenuine({ ...assembled, now: vlek.now, roots: vlek.roots })).genuine).toBe(true)
  })

  it('in both places are handed over once', () => {
    expect(assemble(tableOf(certificates), certificates).certificates).toHaveLength(3)
  })

  it('of the wrong kind are not passed on', async () => {
    expect(await codeOf(() => assemble(tableOf(vlek.certificates)))).toBe('leaf_kind_mismatch')
  })

  it('in a malformed table are refused', async () => {
    expect(await codeOf(() => assemble(Uint8Array.of(1, 2, 3)))).toBe('certificate_table_malformed')
  })
})

describe('what else a host hands over', () => {
  it('is kept: the endorsement of its firmware, and what nobody here knows', () => {
    const others: Row[] = [
      { guid: TABLE_GUID.firmware_endorsement, data: Uint8Array.of(1, 2) },
      { guid: '00112233-4455-6677-8899-aabbccddeeff', data: Uint8Array.of(4) },
    ]
    const { table } = assemble(
      tableOfRows([...others, { guid: TABLE_GUID.vcek, data: byLength[0] ?? report }]),
      [...certificates],
    )
    expect(table.slice(0, 2).map(({ guid, data }) => ({ guid, data }))).toEqual(others)
    expect(table.map(({ name }) => name)).toEqual(['firmware_endorsement', null, 'vcek'])
  })
})

describe('the CRL that comes with a report', () => {
  let milan: Machine
  let genoa: Machine
  beforeAll(async () => {
    milan = await machine('Milan')
    genoa = await machine('Genoa')
  })
  const assembled = (inTable: readonly Uint8Array[], atHand: readonly Uint8Array[]) => {
    const rows = inTable.map((data) => ({ guid: TABLE_GUID.crl, data }))
    const certificateTable = tableOfRows(rows)
    const certificates = readCertificates([milan.leaf, ...milan.chain])
    return assembleReport(
      { report: milan.report, certificateTable },
      { certificates, crls: atHand.map(parseCrl) },
    )
  }

  it('is the newest of the host’s and of those at hand', () => {
    const [older, newer] = [NOW - 2 * DAY_MS, NOW - DAY_MS].map((thisUpdateMs) => milan.crl({ thisUpdateMs }))
    if (older === undefined || newer === undefined) throw new Error('two were made')
    expect(assembled([older], [newer]).crl).toEqual(newer)
    expect(assembled([newer], [older]).crl).toEqual(newer)
    expect(assembled([older], []).crl).toEqual(older)
  })

  it('is none of another root', () => {
    expect('crl' in assembled([genoa.crl()], [genoa.crl()])).toBe(false)
  })

  it('is no excuse to pass on what can not be read', async () => {
    expect(await codeOf(() => assembled([Uint8Array.of(0x30)], []))).toBe('crl_malformed')
  })
})
