import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { systemReceiverClock } from '../../src/a2a/receiver-clock.js'
import { answerOf, eventNames, eventsOf, pairUp, postRaw, serving } from './double/peers.js'
import { asked, effectsOf, serveOnce } from './double/serve-once.js'

describe('A2A-17, A2A-40, A2A-45: a receiver that is killed', { timeout: 600_000 }, () => {
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
