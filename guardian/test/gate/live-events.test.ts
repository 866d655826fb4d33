import { describe, expect, test } from 'vitest'
import { type LiveEvent, LiveEvents, serverSentEvent } from '../../src/index.js'

const event = (seq: number, content: LiveEvent['content'] = null): LiveEvent => ({
  record: { event: 'run.started', fields: { run_id: 'run-1', seq } },
  content,
})
const seqs = (events: readonly LiveEvent[]): number[] => events.map(({ record }) => record.fields.seq)
const filled = (count: number, most = { events: 4, characters: 1000 }): LiveEvents => {
  const live = new LiveEvents(most)
  for (let seq = 0; seq < count; seq += 1) live.publish(event(seq))
  return live
}

describe('live events', () => {
  test('UAR-20: that are older than the bound are gone, and it is said', () => {
    const { events, gone } = filled(6).replay(-1)
    expect([seqs(events), gone]).toEqual([[2, 3, 4, 5], true])
  })

  test('are replayed from the number that a reader has, without a loss', () => {
    const { events, gone } = filled(6).replay(3)
    expect([seqs(events), gone]).toEqual([[4, 5], false])
  })

  test('of a reader that has all are none, and nothing is lost', () => {
    expect(filled(6).replay(5)).toEqual({ events: [], gone: false })
    expect(new LiveEvents().replay(-1)).toEqual({ events: [], gone: false })
  })

  test('are bounded in size too: a large one pushes out what came before, or itself', () => {
    const live = filled(3, { events: 4, characters: 100 })
    live.publish(event(3, 'x'.repeat(92)))
    expect(seqs(live.replay(-1).events)).toEqual([2, 3])
    live.publish(event(4, 'x'.repeat(200)))
    expect(live.replay(3)).toEqual({ events: [], gone: true })
  })

  test('are told to each listener until it leaves', () => {
    const live = new LiveEvents()
    const heard: number[][] = [[], []]
    const leave = live.listen((one) => heard[0]?.push(one.record.fields.seq))
    live.listen((one) => heard[1]?.push(one.record.fields.seq))
    live.publish(event(0))
    leave()
    live.publish(event(1))
    expect(heard).toEqual([[0], [0, 1]])
  })

  test('go on where a listener throws', () => {
    const live = new LiveEvents()
    live.listen(() => {
      throw new Error('closed')
    })
    live.publish(event(0))
    expect(seqs(live.replay(-1).events)).toEqual([0])
  })

  test('are sent so that no content begins a line of its own', () => {
    const text = serverSentEvent(event(7, 'a\n\nid: 9\ndata: {}\r\n'))
    expect(text.split('\n').slice(0, 2)).toEqual(['id: 7', 'event: run.started'])
    expect(text.split(/[\r\n]/)).toHaveLength(5)
  })
})
