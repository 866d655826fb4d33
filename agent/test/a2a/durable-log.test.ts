import { appendFile, chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DurableLog, type LogFile } from '../../src/a2a/durable-log.js'
import { freshFolder } from '../double/stage.js'

const fresh = async (): Promise<string> => join(await freshFolder(), 'log')

/** A file in memory whose disk may be full: then half of what is written stays. */
const memoryFile = () => {
  const state = { text: '', isFull: false, canCut: true }
  const file: LogFile = {
    appendFile: (data) => {
      const text = Buffer.from(data as Uint8Array).toString()
      state.text += state.isFull ? text.slice(0, text.length / 2) : text
      return state.isFull ? Promise.reject(Object.assign(new Error(), { code: 'ENOSPC' })) : Promise.resolve()
    },
    truncate: (size = 0) => {
      if (!state.canCut) return Promise.reject(new Error('no'))
      state.text = state.text.slice(0, size)
      return Promise.resolve()
    },
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  return { state, log: new DurableLog('/log', file, 0) }
}

test('lines come back in their order, from a file that is its owner’s alone', async () => {
  const path = await fresh()
  const { log, lines } = await DurableLog.open(path)
  expect(lines).toEqual([])
  await Promise.all([log.append('one'), log.append('two')])
  await log.append('three')
  await log.close()
  const again = await DurableLog.open(path)
  await again.log.close()
  expect(again.lines).toEqual(['one', 'two', 'three'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a line that a crash cut is not in the log, and the next one stands by itself', async () => {
  const path = await fresh()
  const first = await DurableLog.open(path)
  await first.log.append('one')
  await first.log.close()
  await appendFile(path, 'tw')
  const second = await DurableLog.open(path)
  expect(second.lines).toEqual(['one'])
  await second.log.append('three')
  await second.log.close()
  expect(await readFile(path, 'utf8')).toBe('one\nthree\n')
})

test('a file that others may read is refused', async () => {
  const path = await fresh()
  await (await DurableLog.open(path)).log.close()
  await chmod(path, 0o640)
  await expect(DurableLog.open(path)).rejects.toMatchObject({ code: 'file_not_private' })
})

test('a line that the disk has no room for is taken back whole, and there may be room later', async () => {
  const { state, log } = memoryFile()
  await log.append('one')
  state.isFull = true
  await expect(log.append('four')).rejects.toMatchObject({ code: 'file_unusable' })
  expect(state.text).toBe('one\n')
  state.isFull = false
  await log.append('five')
  expect(state.text).toBe('one\nfive\n')
})

test('where a half-written line can’t be taken back, nothing is written behind it', async () => {
  const { state, log } = memoryFile()
  Object.assign(state, { isFull: true, canCut: false })
  await expect(log.append('four')).rejects.toMatchObject({ code: 'file_unusable' })
  state.isFull = false
  await expect(log.append('five')).rejects.toMatchObject({ code: 'file_unusable' })
  expect(state.text).not.toContain('five')
})

test('all lines are replaced at once, and what is appended later follows', async () => {
  const path = await fresh()
  const { log } = await DurableLog.open(path)
  const appended = log.append('one')
  const rewritten = log.rewrite(() => ['two', 'three'])
  const later = log.append('four')
  await Promise.all([appended, rewritten, later])
  await log.append('five')
  await log.close()
  const text = await readFile(path, 'utf8')
  expect(text.startsWith('two\nthree\n') && text.endsWith('five\n')).toBe(true)
})
