import { expect, test } from 'vitest'
import { pollUntil } from '../src/poll.js'
import { testClock } from './double/stage.js'

test('there is one poll where there is no time to wait', async () => {
  const waits: number[] = []
  const found = await pollUntil<string>(testClock(), 0, (wait) => {
    waits.push(wait)
    return Promise.resolve(undefined)
  })
  expect(found).toBeUndefined()
  expect(waits).toEqual([0])
})

test('a relay is never asked to wait longer than it may, nor beyond the time', async () => {
  const clock = testClock()
  const waits: number[] = []
  await pollUntil(clock, 70_000, (wait) => {
    waits.push(wait)
    clock.ms += wait * 1000
    return Promise.resolve(undefined)
  })
  expect(waits.slice(0, 3)).toEqual([30, 30, 9])
  expect(waits.every((wait) => wait <= 30)).toBe(true)
})

test('a relay that answers at once is not asked without a pause', async () => {
  const clock = testClock()
  let polls = 0
  await pollUntil(clock, 10_000, () => {
    polls++
    return Promise.resolve(undefined)
  })
  expect(polls).toBeLessThanOrEqual(41)
})

test('what is found ends the polling', async () => {
  let polls = 0
  const found = await pollUntil(testClock(), 10_000, () =>
    Promise.resolve(++polls === 3 ? 'found' : undefined),
  )
  expect([found, polls]).toEqual(['found', 3])
})

test('an error ends the polling: it is not asked again', async () => {
  let polls = 0
  const failing = pollUntil(testClock(), 10_000, () => {
    polls++
    return Promise.reject(new Error('no'))
  })
  await expect(failing).rejects.toThrow('no')
  expect(polls).toBe(1)
})
