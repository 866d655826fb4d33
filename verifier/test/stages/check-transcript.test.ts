import type { Transcript } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { failures, judge, judgeBytes } from '../judge.js'
import { CONTRACT, mintBundle, toBytes } from '../minted-bundle.js'

const OTHER = 'd'.repeat(64)
const withRow =
  (change: object) =>
  (honest: Transcript): Transcript => ({
    ...honest,
    participants: [{ ...honest.participants[0], ...change }, honest.participants[1]],
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
    ['encapsulation', { encapsulation: null }],
    ['head before', { head_before: OTHER }],
    ['head after', { head_after: OTHER }],
    ['role', { role: 'responder' }],
  ])("is refused where a participant's %s is another", async (_, change) => {
    const verdict = await judge({ transcript: withRow(change) })
    expect(failures(verdict)).toEqual({ transcript_members: 'transcript_mismatch' })
  })

  it('shows the inputs and the debits of a session that was evaluated', async () => {
    const uncharged = (core: { head_before: string | null }) => ({ ...core, head_after: core.head_before })
    const verdict = await judge({
      transcript: (honest) => ({
        ...honest,
        participants: [
          uncharged(honest.participants[0]),
          honest.participants[1],
        ] as Transcript['participants'],
      }),
      core: (core) => ({
        ...core,
        participants: [
          { ...core.participants[0], head_after: core.participants[0].head_before },
          core.participants[1],
        ],
      }),
    })
    expect(failures(verdict)).toMatchObject({ transcript_members: 'outcome_mismatch' })
  })

  it('of another lane is refused', async () => {
    const verdict = await judge({ transcript: (honest) => ({ ...honest, lane: 'confidential' }) })
    expect(failures(verdict)).toEqual({ transcript_members: 'lane_mismatch' })
  })
})
