import { describe, expect, it } from 'vitest'
import { createSerial } from '../../src/session/serial.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a serial', () => {
  it('runs one task at a time, in order', async () => {
    const serial = createSerial()
    const seen: string[] = []
    const task = (name: string) => async () => {
      seen.push(`${name} begins`)
      await turn()
      seen.push(`${name} ends`)
    }
    await Promise.all(['a', 'b', 'c'].map((name) => serial(task(name))))
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('goes on after a task that failed, and tells whoever asked', async () => {
    const serial = createSerial()
    const failed = serial(() => Promise.reject(new RangeError('no')))
    const after = serial(() => Promise.resolve(7))
    await expect(failed).rejects.toThrow(RangeError)
    expect(await after).toBe(7)
  })
})
