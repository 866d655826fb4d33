import { describe, expect, it } from 'vitest'
import type { Bar, Candidate, Contest } from '../src/candidate.js'
import type { Comparison } from '../src/compare.js'
import { excess, settle, type Settled } from '../src/settle.js'

const cpu = (): Promise<number> => Promise.resolve(1)
const floor: Candidate = { name: 'floor', cpu }

/** Settles a contest of one rival whose runs come out like this; `null` is a run on a noisy machine. */
const settled = async (bar: Bar, ratios: readonly (number | null)[]): Promise<Settled> => {
  const contest: Contest = { title: 'contest', floor, rivals: [{ name: 'rival', cpu, bar }] }
  const left = [...ratios]
  const run = ({ rivals }: Contest): Promise<Comparison> => {
    const ratio = left.shift()
    if (ratio === undefined) throw new Error('one run more than foreseen')
    const rows = [floor, ...rivals].map((candidate) => ({ candidate, ratio: ratio ?? 9, microseconds: 1 }))
    return Promise.resolve({ rows, conclusive: ratio !== null })
  }
  return settle(contest, run)
}

const verdict = ({ rows }: Settled): string | null | undefined => rows[1]?.verdict

describe('a bar', () => {
  it('is held by one run that is within it', async () => {
    const { runs, ...rest } = await settled({ atMost: 2 }, [1.9])
    expect([verdict({ runs, ...rest }), runs]).toEqual(['held', 1])
  })

  it('is held, with a word about it, by a run that is within the slack', async () => {
    expect(verdict(await settled({ atMost: 2 }, [2.09]))).toBe('slack')
  })

  it('is missed where a miss repeats', async () => {
    const result = await settled({ atMost: 2 }, [2.2, 2.3])
    expect([verdict(result), result.runs, result.rows[1]?.ratio]).toEqual(['missed', 2, 2.3])
  })

  it('is missed where two of three runs miss it', async () => {
    expect(verdict(await settled({ atMost: 2 }, [2.2, 1.9, 2.2]))).toBe('missed')
  })

  it('is held where a miss does not repeat', async () => {
    expect(verdict(await settled({ atMost: 2 }, [2.2, 1.9, 1.8]))).toBe('held')
  })

  it('is not decided by a run on a noisy machine', async () => {
    const noisy = await settled({ atMost: 2 }, [null, null, null])
    expect([verdict(noisy), noisy.runs]).toEqual(['inconclusive', 3])
    expect(verdict(await settled({ atMost: 2 }, [null, 1.9]))).toBe('held')
    expect(verdict(await settled({ atMost: 2 }, [null, 2.2, null]))).toBe('inconclusive')
  })

  it('shows the ratios of quiet runs only, where there is one', async () => {
    expect((await settled({ atMost: 2 }, [null, 1.9])).rows[1]?.ratio).toBe(1.9)
  })

  it('from below is missed by too little', async () => {
    expect(verdict(await settled({ atLeast: 5 }, [4, 4.5]))).toBe('missed')
    expect(verdict(await settled({ atLeast: 5 }, [4.9]))).toBe('slack')
    expect(verdict(await settled({ atLeast: 5 }, [6]))).toBe('held')
  })

  it('is exceeded by a ratio that is no number', () => {
    expect(excess(Number.NaN, { atMost: 2 }) <= 1).toBe(false)
    expect(excess(Number.NaN, { atLeast: 2 }) <= 1).toBe(false)
  })
})

it('a contest without a bar is run once', async () => {
  const row = { candidate: floor, ratio: 1, microseconds: 5 }
  const run = (): Promise<Comparison> => Promise.resolve({ rows: [row], conclusive: false })
  expect(await settle({ title: 'contest', floor, rivals: [] }, run)).toEqual({
    rows: [{ name: 'floor', ratio: 1, microseconds: 5, bar: null, verdict: null }],
    runs: 1,
  })
})
