import type { Receipt, Transcript } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { changedRow, replaced } from '../changed-row.js'
import { failures, judge, judgeBytes } from '../judge.js'
import type { Lies } from '../minted-bundle.js'
import { CONTRACT, mintBundle, toBytes } from '../minted-bundle.js'

const OTHER = 'd'.repeat(64)
const withRow =
  (change: object) =>
  (honest: Transcript): Transcript => ({
    ...honest,
    participants: changedRow(honest.participants, 0, change),
  })

describe('a transcript in a bundle', () => {
  it('cannot be swapped for that of another session', async () => {
    const honest = await mintBundle('software', null)
    const other = await mintBundle('software', null, {
      contract: () => ({ ...CONTRACT, metadata: 'another' }),
    })
    const verdict = await judgeBytes(toBytes({ ...honest, transcript: other.transcript }))
    expect(verdict).toMatchObject({ trusted: false, exit_code: 4 })
    expect(failures(verdict)).toEqual({
      transcript: 'transcript_mismatch',
      transcript_members: 'transcript_mismatch',
    })
  })

  it.each<[string, object, string]>([
    ['another session', { session_id: OTHER }, 'transcript_mismatch'],
    ['another offer', { offer_digest: OTHER }, 'transcript_mismatch'],
    ['another output', { output_commitment: OTHER }, 'transcript_mismatch'],
    ['another outcome', { outcome: { status: 'ABORTED', abort_class: 'CANCELLED' } }, 'outcome_mismatch'],
  ])('is refused with %s, though the receipt names it', async (_, change, code) => {
    const verdict = await judge({ transcript: (honest) => ({ ...honest, ...change }) })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toMatchObject({ transcript_members: code })
  })

  it.each<[string, object]>([
    ['consent', { consent: null }],
    ['head before', { head_before: OTHER }],
    ['head after', { head_after: OTHER }],
    ['narrowed commitment', { narrowed_commitment: OTHER }],
  ])("is refused where a participant's %s is another", async (_, change) => {
    const verdict = await judge({ transcript: withRow(change) })
    expect(failures(verdict)).toEqual({ transcript_members: 'transcript_mismatch' })
  })

  it('shows the inputs and the debits of a session that was evaluated', async () => {
    const uncharged = <Row extends { head_before: string | null }>(row: Row) => ({
      ...row,
      head_after: row.head_before,
    })
    const verdict = await judge({
      transcript: (honest) => ({
        ...honest,
        participants: honest.participants.map((row, at) => (at === 0 ? uncharged(row) : row)),
      }),
      core: (core) => ({
        ...core,
        participants: core.participants.map((row, at) => (at === 0 ? uncharged(row) : row)),
      }),
    })
    expect(failures(verdict)).toMatchObject({ transcript_members: 'heads_mismatch' })
  })

  it('of another lane is refused', async () => {
    const verdict = await judge({ transcript: (honest) => ({ ...honest, lane: 'confidential' }) })
    expect(failures(verdict)).toEqual({ transcript_members: 'lane_mismatch' })
  })
})

/** The same change to both participants, or to the initiator only, in receipt and transcript alike. */
const inBoth = (
  rows: Partial<Transcript['participants'][number]>,
  parties: Partial<Receipt['participants'][number]>,
  also = true,
): Lies => ({
  transcript: (honest) => ({
    ...honest,
    participants: honest.participants.map((row, at) => (at === 0 || also ? { ...row, ...rows } : row)),
  }),
  core: (honest) => ({
    ...honest,
    participants: honest.participants.map((row, at) => (at === 0 || also ? { ...row, ...parties } : row)),
  }),
})
const UNEVALUATED = ['EXPIRED', 'CANCELLED'] as const
const ended = (abort_class: (typeof UNEVALUATED)[number]) => ({
  outcome: { status: 'ABORTED', abort_class } as const,
})

describe.each(UNEVALUATED)('a session that ended as %s', (abort_class) => {
  it.each<[string, object]>([
    ['moved', { head_before: OTHER, head_after: 'e'.repeat(64) }],
    ['left where they were', { head_before: OTHER, head_after: OTHER }],
    ['shown before it', { head_before: OTHER }],
    ['shown after it', { head_after: OTHER }],
  ])('charges nobody: heads are not %s', async (_, heads) => {
    for (const both of [true, false]) {
      const verdict = await judge({ ...ended(abort_class), ...inBoth(heads, heads, both) })
      expect(verdict).toMatchObject({ trusted: false, exit_code: 4 })
      expect(failures(verdict)).toEqual({ transcript_members: 'heads_mismatch' })
    }
  })

  it('has not taken both inputs', async () => {
    const given = inBoth({ encapsulation: OTHER }, { input_commitment: OTHER })
    const verdict = await judge({ ...ended(abort_class), ...given })
    expect(failures(verdict)).toEqual({ transcript_members: 'input_commitment_mismatch' })
  })

  it('may have taken one, after both consents', async () => {
    const given = inBoth({ encapsulation: OTHER }, { input_commitment: OTHER }, false)
    const lies = { ...ended(abort_class), ...given }
    expect((await judge(lies)).trusted).toBe(true)
    const honest = await mintBundle('software', null, {
      ...lies,
      transcript: (all) => {
        const one = changedRow(all.participants, 0, { encapsulation: OTHER })
        return { ...all, participants: changedRow(one, 1, { consent: null }) }
      },
    })
    const verdict = await judgeBytes(toBytes({ ...honest, consents: replaced(honest.consents, 1, null) }))
    expect(failures(verdict)).toEqual({ transcript_members: 'input_commitment_mismatch' })
  })

  it('opens no ledger', async () => {
    const charged = await mintBundle('software', null)
    const honest = await mintBundle('software', null, ended(abort_class))
    const openings = { ...honest.openings, ledger: charged.openings.ledger }
    expect(failures(await judgeBytes(toBytes({ ...honest, openings })))).toEqual({
      ledger: 'ledger_mismatch',
    })
  })
})

describe('a session that was evaluated', () => {
  it.each<[string, object]>([
    ['not moved', { head_before: OTHER, head_after: OTHER }],
    ['not shown', { head_before: null, head_after: null }],
    ['not shown before it', { head_before: null }],
    ['not shown after it', { head_after: null }],
  ])('charges both: no heads are %s', async (_, heads) => {
    const verdict = await judge(inBoth(heads, heads, false))
    expect(failures(verdict)).toMatchObject({ transcript_members: 'heads_mismatch' })
  })

  it('has taken both inputs, each in an encapsulation', async () => {
    for (const both of [true, false]) {
      const none = await judge(inBoth({ encapsulation: null }, { input_commitment: null }, both))
      expect(failures(none)).toMatchObject({ transcript_members: 'input_commitment_mismatch' })
    }
    const unsealed = await judge(inBoth({ encapsulation: null }, {}, false))
    expect(failures(unsealed)).toEqual({ transcript_members: 'input_commitment_mismatch' })
  })
})
