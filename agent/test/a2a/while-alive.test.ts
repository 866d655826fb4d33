import { getEventListeners, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { whileAlive } from '../../src/a2a/while-alive.js'

const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) {
    await setImmediate()
    collect()
  }
}

const LONG = 600_000

test('the end of a life comes, whatever was collected meanwhile, also for whoever listens to a signal made of it', async () => {
  const seen = await whileAlive(200, new AbortController().signal, async (stop) => {
    const made = AbortSignal.any([stop, new AbortController().signal])
    const over = once(made, 'abort')
    await collectGarbage()
    await over
    return [stop.aborted, made.aborted]
  })
  expect(seen).toEqual([true, true])
})

test('a life ends when what it belongs to closes', async () => {
  const closing = new AbortController()
  await whileAlive(LONG, closing.signal, async (stop) => {
    expect(stop.aborted).toBe(false)
    closing.abort()
    expect(stop.aborted).toBe(true)
    await Promise.resolve()
  })
})

test('a life that begins after the close is over', async () => {
  const stopped = await whileAlive(LONG, AbortSignal.abort(), (stop) => Promise.resolve(stop.aborted))
  expect(stopped).toBe(true)
})

test('nothing of a life stays, whatever came of it', async () => {
  const closing = new AbortController()
  await whileAlive(LONG, closing.signal, () => Promise.resolve())
  await expect(whileAlive(LONG, closing.signal, () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  )
  expect(getEventListeners(closing.signal, 'abort')).toEqual([])
})
