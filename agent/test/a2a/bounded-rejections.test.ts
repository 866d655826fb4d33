import type { A2aEvent, RejectionReason } from '@parley/guardian'
import { expect, test } from 'vitest'
import { boundedRejections } from '../../src/a2a/bounded-rejections.js'

const rejection = (reason: RejectionReason): A2aEvent => ({
  event: 'A2A.request_rejected',
  fields: { task_id: null, origin_id: null, reason },
})
const other: A2aEvent = { event: 'A2A.envelope_sent', fields: { task_id: 'a', endpoint_id: 'b', ttl_s: 1 } }

const stage = () => {
  const written: A2aEvent[] = []
  const time = { ms: 0 }
  const append = (event: A2aEvent): Promise<void> => {
    written.push(event)
    return Promise.resolve()
  }
  const log = boundedRejections({ append }, () => time.ms)
  const flood = async (reason: RejectionReason, times: number): Promise<void> => {
    for (let nth = 0; nth < times; nth++) await log.append(rejection(reason))
  }
  return { written, time, log, flood }
}

test.each(['1:not_json', '2:unknown_origin', '3:time_window', '5:ttl_exceeded', '6:bad_signature'] as const)(
  'of strangers’ rejections as %s 64 a minute are written, and the number of the others once',
  async (reason) => {
    const { written, time, log, flood } = stage()
    await flood(reason, 1000)
    expect(written).toHaveLength(64)
    time.ms = 60_000
    await log.append(other)
    expect(written.slice(64)).toEqual([
      { event: 'A2A.requests_rejected', fields: { count: 936, of_strangers: true } },
      other,
    ])
    await flood(reason, 1)
    expect(written).toHaveLength(67)
  },
)

test('strangers hide no rejection of a peer', async () => {
  const { written, flood } = stage()
  await flood('6:bad_signature', 1000)
  await flood('4:replay', 1)
  expect(written.at(-1)).toEqual(rejection('4:replay'))
})

test('a peer’s are bounded too', async () => {
  const { written, log, flood } = stage()
  await flood('S-3:rate_limited', 66)
  await log.flush()
  expect(written.slice(64)).toEqual([
    { event: 'A2A.requests_rejected', fields: { count: 2, of_strangers: false } },
  ])
})

test('what is no rejection is written each time', async () => {
  const { written, log } = stage()
  for (let nth = 0; nth < 200; nth++) await log.append(other)
  expect(written).toHaveLength(200)
})

test('where nothing was only counted, nothing is told', async () => {
  const { written, time, log, flood } = stage()
  await flood('6:bad_signature', 64)
  time.ms = 60_000
  await log.flush()
  expect(written).toHaveLength(64)
})
