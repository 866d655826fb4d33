import { type Bundle, type LedgerEntry, signLedgerEntry } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { failures, judge, judgeBytes, notRun } from '../judge.js'
import { didOf, KEYS, mintBundle, toBytes } from '../minted-bundle.js'
import { without } from '../without.js'

type Opened = Bundle['openings']['ledger']
const opened = async (change: (honest: Opened) => Opened) => {
  const honest = await mintBundle('software', null)
  return judgeBytes(
    toBytes({ ...honest, openings: { ...honest.openings, ledger: change(honest.openings.ledger) } }),
  )
}

describe('an opened ledger', () => {
  it('is refused where an entry is not the head of the receipt', async () => {
    const swapped = await opened((rows) =>
      rows.map(({ role, before, after }) => ({ role, before: after, after: before })),
    )
    expect(swapped).toMatchObject({ trusted: false, exit_code: 4 })
    expect(failures(swapped)).toEqual({ ledger: 'ledger_mismatch' })
  })

  it("is refused under the other participant's role", async () => {
    const verdict = await opened((rows) => rows.map((row) => ({ ...row, role: 'responder' })))
    expect(failures(verdict)).toEqual({ ledger: 'ledger_mismatch' })
  })

  it('is refused where it is opened twice', async () => {
    expect(failures(await opened((rows) => [...rows, ...rows]))).toEqual({ ledger: 'ledger_mismatch' })
  })

  it('is refused where the relay did not sign an entry of its own', async () => {
    const resigned = (entry: LedgerEntry | null): LedgerEntry | null => {
      if (entry === null) return null
      const unsigned = without(entry, 'signature')
      return signLedgerEntry(unsigned, KEYS.stranger)
    }
    const verdict = await opened((rows) => rows.map((row) => ({ ...row, after: resigned(row.after) })))
    expect(failures(verdict)).toEqual({ ledger: 'signature_invalid' })
  })

  it.each<[string, Partial<LedgerEntry>]>([
    ['charges less than the capacity', { charge_millibits: 1, after_millibits: 1 }],
    ['does not add up', { after_millibits: 1 }],
    ['goes over its limit', { limit_millibits: 2000 }],
    ['raises its limit', { limit_millibits: 30_000 }],
    ['skips a step', { seq: 2 }],
    ['is of another tag', { tag: 'other' }],
    ['is of another owner', { owner: didOf(KEYS.stranger) }],
    ['is of another session', { session_id: '0'.repeat(64) }],
    ['hangs on another head', { previous: '0'.repeat(64) }],
    ['opens instead of debiting', { kind: 'open' }],
    ['starts from another sum', { before_millibits: 5, after_millibits: 2590 }],
  ])('is refused where an entry %s, though the relay signed it', async (_, change) => {
    const verdict = await judge({ debit: (honest) => ({ ...honest, ...change }) })
    expect(failures(verdict)).toEqual({ ledger: 'ledger_mismatch' })
  })

  it('may show one entry only', async () => {
    expect((await opened((rows) => rows.map((row) => ({ ...row, before: null })))).trusted).toBe(true)
    expect((await opened((rows) => rows.map((row) => ({ ...row, after: null })))).trusted).toBe(true)
  })

  it('may be kept back, and then the verdict says so', async () => {
    const verdict = await opened(() => [])
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toMatchObject({ ledger: 'ledger_not_open' })
  })
})

describe('the window of an opened ledger', () => {
  type Window = NonNullable<LedgerEntry['window']>
  const windowed = (before: Window | undefined, after: Window | undefined) =>
    judge({
      open: (honest) => ({ ...honest, ...(before === undefined ? {} : { window: before }) }),
      debit: (honest) => ({
        ...without(honest, 'window'),
        ...(after === undefined ? {} : { window: after }),
      }),
    })
  const day = { seconds: 86_400, limit_millibits: 8000, spent_millibits: 0 }
  const charged = { ...day, spent_millibits: 2585 }

  it.each<[string, Window | undefined, Window | undefined]>([
    ['stands as it stood', day, charged],
    ['begins with the debit', undefined, charged],
    ['is full to its limit', day, { ...charged, limit_millibits: 2585 }],
    ['reaches further back', day, { ...charged, seconds: 172_800 }],
    ['allows less', day, { ...charged, limit_millibits: 4000 }],
    ['was never set', undefined, undefined],
  ])('is taken where it %s', async (_, before, after) => {
    const verdict = await windowed(before, after)
    expect(failures(verdict)).toEqual({})
    expect(verdict.trusted).toBe(true)
  })

  it.each<[string, Window | undefined, Window | undefined]>([
    ['is overspent', day, { ...charged, limit_millibits: 2584 }],
    ['was overspent before', { ...day, spent_millibits: 8001 }, { ...charged, spent_millibits: 8001 }],
    ['is dropped by the next entry', day, undefined],
    ['reaches less far back', day, { ...charged, seconds: 86_399 }],
    ['allows more', day, { ...charged, limit_millibits: 8001 }],
    ['reaches further and allows more', day, { ...charged, seconds: 172_800, limit_millibits: 16_000 }],
  ])('is refused where it %s, though the relay signed it', async (_, before, after) => {
    const verdict = await windowed(before, after)
    expect(verdict).toMatchObject({ trusted: false, exit_code: 4 })
    expect(failures(verdict)).toEqual({ ledger: 'ledger_mismatch' })
  })

  it('tells its owner of a pair over its limit, and is refused for nothing by that', async () => {
    const pair = { spent_millibits: 9000, limit_millibits: 5000 }
    expect((await judge({ debit: (honest) => ({ ...honest, pair }) })).trusted).toBe(true)
  })
})
