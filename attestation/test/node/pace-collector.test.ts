import { describe, expect, it } from 'vitest'
import { AttestationError, type AttestationErrorCode, type CollectedReport } from '../../src/index.js'
import { paceCollector } from '../../src/node/pace-collector.js'
import type { Timer } from '../../src/node/index.js'
import { codeOf } from '../evidence-folder.js'
import { REPORT_DATA } from '../policies.js'

const PACE = { minIntervalMs: 2000, backOffMs: [500, 1000] }
const COLLECTED: CollectedReport = { report: new Uint8Array(), certificates: [], table: [] }

/** A collector whose requests take 10 ms and end as told, under a clock that only waiting moves. */
const paced = (outcomes: readonly (AttestationErrorCode | null)[] = []) => {
  const left = [...outcomes]
  const starts: number[] = []
  let [now, running, most] = [0, 0, 0]
  const timer: Timer = {
    now: () => now,
    wait: async (ms) => {
      await Promise.resolve()
      now += ms
    },
  }
  const collect = async (): Promise<CollectedReport> => {
    starts.push(now)
    running += 1
    most = Math.max(most, running)
    await timer.wait(10)
    running -= 1
    const code = left.shift() ?? null
    if (code !== null) throw new AttestationError(code, 'as told')
    return COLLECTED
  }
  const collector = paceCollector({ platform: 'sev-snp', collect }, PACE, timer)
  return { collector, starts, most: () => most }
}

describe('a collector at its pace', () => {
  it('is asked at once the first time, and then no sooner than the interval after an answer', async () => {
    const { collector, starts } = paced()
    await collector.collect(REPORT_DATA)
    await collector.collect(REPORT_DATA)
    expect(starts).toEqual([0, 2010])
  })

  it('is asked one request at a time, in the order in which they came', async () => {
    const { collector, starts, most } = paced()
    await Promise.all([1, 2, 3].map(() => collector.collect(REPORT_DATA)))
    expect(starts).toEqual([0, 2010, 4020])
    expect(most()).toBe(1)
  })

  it('asks again where the platform was busy or a write was lost', async () => {
    const { collector, starts } = paced(['collector_busy', 'generation_changed', null])
    expect(await collector.collect(REPORT_DATA)).toBe(COLLECTED)
    expect(starts).toEqual([0, 2010, 4020])
  })

  it('gives up after as many tries as there are waits', async () => {
    const { collector, starts } = paced([
      'collector_busy',
      'collector_busy',
      'collector_busy',
      'collector_busy',
    ])
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('collector_busy')
    expect(starts).toHaveLength(3)
  })

  it.each<AttestationErrorCode>([
    'collector_disabled',
    'collector_timeout',
    'firmware_refused',
    'host_refused',
    'privilege_level_refused',
    'report_data_changed',
    'collateral_missing',
  ])('does not ask again after %s', async (code) => {
    const { collector, starts } = paced([code])
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe(code)
    expect(starts).toHaveLength(1)
  })

  it('keeps its pace after a failure, and serves who comes next', async () => {
    const { collector, starts } = paced(['firmware_refused'])
    const [first, second] = await Promise.allSettled([1, 2].map(() => collector.collect(REPORT_DATA)))
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
    expect(starts).toEqual([0, 2010])
  })
})

describe('a key that is derived at the pace of reports', () => {
  it('waits its turn, since the host throttles both alike', async () => {
    let now = 0
    const timer: Timer = {
      now: () => now,
      wait: async (ms) => {
        await Promise.resolve()
        now += ms
      },
    }
    const asked: [string, number][] = []
    const collector = paceCollector(
      {
        platform: 'sev-snp',
        collect: () => {
          asked.push(['report', now])
          return Promise.resolve(COLLECTED)
        },
        deriveKey: () => {
          asked.push(['key', now])
          return Promise.resolve(new Uint8Array(32))
        },
      },
      PACE,
      timer,
    )
    const request = { root: 'vcek', fields: [], vmpl: 0, guestSvn: 0, tcbVersion: new Uint8Array(8) } as const
    await Promise.all([collector.collect(REPORT_DATA), collector.deriveKey?.(request)])
    expect(asked).toEqual([
      ['report', 0],
      ['key', 2000],
    ])
  })

  it('is not there where the collector derives none', () => {
    expect(Object.keys(paced().collector)).not.toContain('deriveKey')
  })
})
