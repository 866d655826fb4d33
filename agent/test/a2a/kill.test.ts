import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { systemReceiverClock } from '../../src/a2a/receiver-clock.js'
import {
  answerOf,
  bodyOf,
  eventNames,
  eventsOf,
  type Pair,
  pairUp,
  postRaw,
  serving,
  taskOf,
} from './double/peers.js'

const PROGRAM = fileURLToPath(new URL('./double/serve-until-killed.ts', import.meta.url))

/** Serves one task in a process that is killed at the moment, and gives back what the sender got. */
const serveOnce = async (pair: Pair, moment: string, body: Uint8Array): Promise<string> => {
  const { home } = pair.receiver
  const argv = ['--conditions=source', '--import', 'tsx', PROGRAM, home, moment, join(home, 'effect')]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const raw = await postRaw(line.toString().trim(), body)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  return raw
}

const effectsOf = async ({ receiver }: Pair): Promise<readonly string[]> => {
  const text = await readFile(join(receiver.home, 'effect'), 'utf8').catch(() => '')
  return text.split('\n').slice(0, -1)
}

const asked = (pair: Pair): Uint8Array =>
  bodyOf(taskOf(pair, { issued_at: Math.floor(systemReceiverClock.nowMs() / 1000) }))

describe('A2A-17, A2A-40, A2A-45: a receiver that is killed', () => {
  test.each([
    ['nonce', [], 0],
    ['A2A.envelope_received', ['A2A.envelope_received'], 0],
    ['A2A.engine_spawned', ['A2A.envelope_received', 'A2A.engine_spawned'], 0],
    ['worker', ['A2A.envelope_received', 'A2A.engine_spawned'], 1],
    ['A2A.result_filtered', ['A2A.envelope_received', 'A2A.engine_spawned', 'A2A.result_filtered'], 1],
    [
      'A2A.response_signed',
      ['A2A.envelope_received', 'A2A.engine_spawned', 'A2A.result_filtered', 'A2A.response_signed'],
      1,
    ],
  ])(
    'at %s has done nothing without its record, and never does it again',
    async (moment, recorded, effects) => {
      const pair = await pairUp()
      const body = asked(pair)
      const { receivedLog, scratch } = pair.receiver.paths
      expect(await serveOnce(pair, moment, body)).toBe('')
      expect(await eventNames(receivedLog)).toEqual(recorded)
      expect(await effectsOf(pair)).toHaveLength(effects)
      await serving(pair, { clock: systemReceiverClock }, async ({ url }) => {
        // What the killed one left in its scratch folder is gone before the next task comes.
        expect(await readdir(scratch).catch(() => [])).toEqual([])
        expect(answerOf(await postRaw(url, body))).toMatchObject({ status: 'rejected', data: {} })
      })
      expect((await eventsOf(receivedLog)).at(-1)?.fields['reason']).toBe('4:replay')
      expect(await effectsOf(pair)).toHaveLength(effects)
    },
  )

  test('between two tasks refuses the first when it is sent again', async () => {
    const pair = await pairUp()
    const body = asked(pair)
    expect(answerOf(await serveOnce(pair, 'between', body))).toMatchObject({ status: 'ok' })
    await serving(pair, { clock: systemReceiverClock }, async ({ url }) => {
      expect(answerOf(await postRaw(url, body))).toMatchObject({ status: 'rejected' })
    })
  })
})
