import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/hex.js'
import { appraise, chipOf, failures, resultOf } from './simulated-appraisal.js'

const chip = await chipOf('Milan')
const vlek = await chipOf('Milan', 'vlek')

const own = toHex(chip.leafSubject.hwID)
const other = 'ab'.repeat(64)

describe('denied chips', () => {
  it('are refused, however the chip is expected', async () => {
    for (const chip_id of [{ any: 'no matter' }, { equals: own }])
      expect(await failures(chip, { policy: { chip_id, chip_id_denied: [other, own] } })).toEqual({
        chip_id_denied: 'chip_id_refused',
      })
  })

  it('do not touch another chip', async () => {
    expect(await failures(chip, { policy: { chip_id_denied: [other] } })).toEqual({})
  })

  it('could hide behind a masked CHIP_ID, so that is refused where there are any', async () => {
    expect(await failures(vlek, { policy: { chip_id_denied: [other] } })).toEqual({
      chip_id_denied: 'chip_id_refused',
    })
    expect(await failures(vlek, { policy: { chip_id_denied: [] } })).toEqual({})
  })
})

describe('the provider of a VLEK', () => {
  it('is one that is listed', async () => {
    const csp_id = { one_of: ['CN=cc-us-east-2.amazonaws.com', 'CN=simulated.invalid'] }
    expect(await failures(vlek, { policy: { csp_id } })).toEqual({})
  })

  it.each(['CN=simulated.invali', 'CN=simulated.invalid ', 'cn=simulated.invalid'])(
    'is not %s',
    async (name) => {
      expect(await failures(vlek, { policy: { csp_id: { equals: name } } })).toEqual({
        csp_id: 'csp_id_mismatch',
      })
    },
  )

  it('is nobody where a VCEK signed', async () => {
    expect(await failures(chip, { policy: { csp_id: { equals: 'CN=somebody' } } })).toEqual({})
  })

  it('may be anybody for a reason', async () => {
    const appraisal = await appraise(vlek, { policy: { csp_id: { any: 'one cloud only' } } })
    expect(resultOf(appraisal, 'csp_id')).toBe('any')
  })
})

describe('REPORT_ID and REPORT_ID_MA', () => {
  it.each(['report_id', 'report_id_ma'] as const)('%s is compared', async (member) => {
    expect(await failures(chip, { policy: { [member]: { equals: '5e'.repeat(32) } } })).toEqual({
      [member]: `${member}_mismatch`,
    })
    const field = member === 'report_id' ? 'reportId' : 'reportIdMa'
    const fields = { [field]: new Uint8Array(32).fill(0x5e) }
    expect(await failures(chip, { fields, policy: { [member]: { equals: '5e'.repeat(32) } } })).toEqual({})
  })
})
