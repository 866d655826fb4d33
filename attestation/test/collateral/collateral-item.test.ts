import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CollateralItem, itemName, kdsPath, parseReport, vcekItemOf } from '../../src/index.js'
import { codeOf, genuineInput } from '../evidence-folder.js'

const MILAN: CollateralItem = {
  kind: 'vcek',
  product: 'Milan',
  hwID: new Uint8Array(64).fill(0xab),
  tcb: Uint8Array.of(4, 0, 0, 0, 0, 0, 24, 219),
}
const TURIN: CollateralItem = {
  kind: 'vcek',
  product: 'Turin',
  hwID: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 0xff),
  tcb: Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 81),
}

describe('the path of an item at KDS', () => {
  it('names a Milan or Genoa chip by 64 bytes, and each part of its TCB by two digits', () => {
    const query = 'blSPL=04&teeSPL=00&snpSPL=24&ucodeSPL=219'
    expect(kdsPath(MILAN)).toBe(`/vcek/v1/Milan/${'ab'.repeat(64)}?${query}`)
    expect(kdsPath({ ...MILAN, product: 'Genoa' })).toBe(`/vcek/v1/Genoa/${'ab'.repeat(64)}?${query}`)
  })

  it('names a Turin chip by 16 hexadecimal digits, and its FMC', () => {
    expect(kdsPath(TURIN)).toBe(
      '/vcek/v1/Turin/00010203040506ff?fmcSPL=01&blSPL=02&teeSPL=03&snpSPL=04&ucodeSPL=81',
    )
  })

  it.each<[CollateralItem, string]>([
    [{ kind: 'chain', signs: 'vcek', product: 'Milan' }, '/vcek/v1/Milan/cert_chain'],
    [{ kind: 'chain', signs: 'vlek', product: 'Genoa' }, '/vlek/v1/Genoa/cert_chain'],
    [{ kind: 'crl', signs: 'vcek', product: 'Turin' }, '/vcek/v1/Turin/crl'],
    [{ kind: 'crl', signs: 'vlek', product: 'Milan' }, '/vlek/v1/Milan/crl'],
  ])('of %j is %s', (item, path) => {
    expect(kdsPath(item)).toBe(path)
  })
})

describe('the name of an item', () => {
  it('tells two TCBs of a Turin chip apart that differ in their FMC alone', () => {
    const other = { ...TURIN, tcb: Uint8Array.of(2, ...TURIN.tcb.subarray(1)) }
    expect(itemName(other)).not.toBe(itemName(TURIN))
  })

  it('is another one wherever any byte of chip or TCB is, and stands as a file name', () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
    const item = fc.record({
      kind: fc.constant('vcek' as const),
      product: fc.constantFrom('Milan' as const, 'Genoa' as const),
      hwID: bytes(64),
      tcb: bytes(8),
    })
    fc.assert(
      fc.property(item, item, (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right)
        expect(itemName(left) === itemName(right)).toBe(same)
        expect(itemName(left)).toMatch(/^[\w.-]{1,255}$/)
      }),
    )
  })
})

describe('the certificate that a report needs', () => {
  it.each([
    ['milan-v3-vcek', 'Milan', 64],
    ['genoa-v5-vcek', 'Genoa', 64],
    ['turin-v5-vcek', 'Turin', 8],
  ] as const)('of %s is that of its chip and reported TCB', (name, product, size) => {
    const report = parseReport(genuineInput(name).report)
    expect(vcekItemOf(report, product)).toEqual({
      kind: 'vcek',
      product,
      hwID: report.chip_id.slice(0, size),
      tcb: report.reported_tcb,
    })
  })

  it('can not be asked for where the chip is masked', async () => {
    const report = { ...parseReport(genuineInput('milan-v3-vcek').report), chip_id: new Uint8Array(64) }
    expect(await codeOf(() => vcekItemOf(report, 'Milan'))).toBe('collateral_missing')
  })

  it('can not be asked for where the chip is of another line', async () => {
    const report = parseReport(genuineInput('milan-v3-vcek').report)
    expect(await codeOf(() => vcekItemOf(report, 'Turin'))).toBe('chip_id_mismatch')
  })
})
