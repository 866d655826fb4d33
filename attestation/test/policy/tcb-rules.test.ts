import type { ReportFields } from '@parley/scripts'
import { describe, expect, it } from 'vitest'
import type { ProductLine } from '../../src/index.js'
import { policyJson } from '../policies.js'
import { appraise, chipOf, failures, resultOf } from './simulated-appraisal.js'

const chips = {
  Milan: await chipOf('Milan'),
  Genoa: await chipOf('Genoa'),
  Turin: await chipOf('Turin'),
}

const FIELDS = {
  committed_tcb_minimum: 'committedTcb',
  current_tcb_minimum: 'currentTcb',
  launch_tcb_minimum: 'launchTcb',
} as const satisfies Record<string, keyof ReportFields>

// Where each part stands in TCB_VERSION.
const PARTS = {
  Milan: { bootloader: 0, tee: 1, snp: 6, microcode: 7 },
  Genoa: { bootloader: 0, tee: 1, snp: 6, microcode: 7 },
  Turin: { fmc: 0, bootloader: 1, tee: 2, snp: 3, microcode: 7 },
} as const satisfies Record<ProductLine, Record<string, number>>

const CASES = Object.entries(FIELDS).flatMap(([member, field]) =>
  (['Milan', 'Genoa', 'Turin'] as const).flatMap((product) =>
    Object.entries(PARTS[product]).map(([part, at]) => [member, field, product, part, at] as const),
  ),
)

const floors = policyJson()['tcb_minimum'] as Record<ProductLine, Record<string, number>>
const NO_ORDER = {
  reported_within_committed: 'any',
  committed_within_current: 'any',
  launch_within_current: 'any',
}

describe('a floor for a TCB that is not the reported one', () => {
  it.each(CASES)('%s (%s): %s with a lower %s is refused', async (member, field, product, part, at) => {
    const chip = chips[product]
    const raised = {
      ...floors,
      [product]: { ...floors[product], [part]: (chip.leafSubject.tcb[at] ?? 0) + 1 },
    }
    const policy = { [member]: raised, tcb_order: NO_ORDER, committed_equals_current: 'any' }
    expect(await failures(chip, { policy })).toEqual({ [member]: 'tcb_below_minimum' })
    const tcb = chip.leafSubject.tcb.map((value, index) => (index === at ? value + 1 : value))
    expect(await failures(chip, { policy, fields: { [field]: tcb } })).toEqual({})
  })

  it('may be left open, for a reason that is shown', async () => {
    const appraisal = await appraise(chips.Milan, {
      policy: { launch_tcb_minimum: { any: 'updated since' } },
    })
    expect(resultOf(appraisal, 'launch_tcb_minimum')).toBe('any')
    expect(appraisal.anys).toContainEqual({ check: 'launch_tcb_minimum', reason: 'updated since' })
  })

  it('is not run for a product line that is refused anyway', async () => {
    const policy = { products: ['Genoa'], current_tcb_minimum: floors }
    const appraisal = await appraise(chips.Milan, { policy })
    expect(resultOf(appraisal, 'current_tcb_minimum')).toBe('not_run')
    expect(appraisal.trusted).toBe(false)
  })

  it('compares parts, not numbers: a higher microcode makes up for no older firmware', async () => {
    const tcb = Uint8Array.of(4, 0, 0, 0, 0, 0, 23, 255)
    const policy = { launch_tcb_minimum: floors, tcb_order: NO_ORDER }
    expect(await failures(chips.Milan, { policy, fields: { launchTcb: tcb } })).toEqual({
      launch_tcb_minimum: 'tcb_below_minimum',
    })
  })
})

const milan = (snp: number, microcode = 219): Uint8Array => Uint8Array.of(4, 0, 0, 0, 0, 0, snp, microcode)

describe('the order of TCBs', () => {
  it.each<[string, Partial<ReportFields>]>([
    ['reported_within_committed', { committedTcb: milan(23) }],
    ['reported_within_committed', { committedTcb: milan(25, 218), currentTcb: milan(25) }],
    ['committed_within_current', { committedTcb: milan(25) }],
    ['launch_within_current', { launchTcb: milan(24, 220) }],
  ])('%s is required or not, as the policy says', async (name, fields) => {
    const policy = { committed_equals_current: 'any', tcb_order: { ...NO_ORDER, [name]: 'require' } }
    expect(await failures(chips.Milan, { policy, fields })).toEqual({ tcb_order: 'tcb_order_refused' })
    expect(await failures(chips.Milan, { policy: { ...policy, tcb_order: NO_ORDER }, fields })).toEqual({})
  })

  it('of real clouds holds: committed under current, launch under current', async () => {
    const fields = { currentTcb: milan(26), launchTcb: milan(25), committedTcb: milan(25) }
    expect(await failures(chips.Milan, { policy: { committed_equals_current: 'any' }, fields })).toEqual({})
  })
})

describe('a published list of floors', () => {
  const listed = (product: string): Record<string, unknown> => ({
    products: [product],
    tcb_floor_list: { sha256: '9cb2f7204b13ca33f70f89192aa48fff9080a9298a3f068da107e41f9580bdf5' },
    tcb_minimum: { [product]: { bootloader: 0, tee: 0, snp: 0, microcode: 0 } },
  })

  it('takes what reaches it', async () => {
    expect(await failures(chips.Milan, { policy: listed('Milan') })).toEqual({})
    expect(await failures(chips.Genoa, { policy: listed('Genoa') })).toEqual({})
  })

  it('refuses what does not, whatever the floors of the policy itself', async () => {
    const old = await chipOf('Milan')
    const leaf = old.vendor.issueLeaf({ ...old.leafSubject, tcb: milan(23) }, old.leafSpki)
    const certificates = [leaf, ...old.certificates.slice(1)]
    expect(
      await failures(old, { policy: listed('Milan'), certificates, fields: { reportedTcb: milan(23) } }),
    ).toEqual({ tcb_floor_list: 'tcb_below_minimum' })
  })
})
