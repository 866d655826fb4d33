import { expect, test } from 'vitest'
import { Turns } from '../../src/a2a/turns.js'

const never = new AbortController().signal

/** A piece of work that ends when it is told to. */
const piece = () => {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const state = { began: false }
  const work = (): Promise<void> => {
    state.began = true
    return ended
  }
  return {
    state,
    work,
    end: () => {
      end()
    },
  }
}

test('no more work at a time than there are turns, and who waits comes in order', async () => {
  const turns = new Turns(1)
  const [one, two, three] = [piece(), piece(), piece()]
  const done = [one, two, three].map(({ work }) => turns.during(never, work))
  one.end()
  await done[0]
  await expect.poll(() => two.state.began).toBe(true)
  expect(three.state.began).toBe(false)
  two.end()
  three.end()
  await Promise.all(done)
})

test('who stops waiting takes nobody’s turn', async () => {
  const turns = new Turns(1)
  const [one, two] = [piece(), piece()]
  const first = turns.during(never, one.work)
  const stop = new AbortController()
  const second = turns.during(stop.signal, two.work)
  const third = turns.during(never, () => Promise.resolve('third'))
  stop.abort()
  await expect(second).rejects.toThrow()
  one.end()
  await first
  expect(await third).toBe('third')
  expect(two.state.began).toBe(false)
})

test('work that fails gives its turn back', async () => {
  const turns = new Turns(1)
  await expect(turns.during(never, () => Promise.reject(new Error('no')))).rejects.toThrow()
  expect(await turns.during(never, () => Promise.resolve('yes'))).toBe('yes')
  await expect(turns.during(AbortSignal.abort(), () => Promise.resolve())).rejects.toThrow()
})
