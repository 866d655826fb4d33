import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInboxBook, type InboxBook, KEPT_EVENTS } from '../../src/inbox/inbox-book.js'
import type { Notice } from '../../src/inbox/notice.js'
import { type MemoryStore, memoryStore } from '../session/memory-store.js'

const notice = (to: string, more: Partial<Notice> = {}): Notice => ({
  to,
  event: 'consented',
  session_id: '5e'.repeat(32),
  role: 'initiator',
  reason_code: null,
  ...more,
})

const bookOver = (store: MemoryStore, released = new Set<string>()): InboxBook =>
  createInboxBook(store, { nowSeconds: () => 1_790_000_000 }, (id) => released.has(id))

const post = (book: InboxBook, store: MemoryStore, ...notices: Notice[]): Promise<void> =>
  book.posting(notices, (writes) => store.commit(writes()))

const seqs = (book: InboxBook, key: string, after = 0): number[] =>
  [...book.after(key, after)].map(({ seq }) => seq)

describe('an inbox book', () => {
  it('numbers each key by itself, from 1', async () => {
    const store = memoryStore()
    const book = bookOver(store)
    await post(book, store, notice('a'), notice('b'), notice('a'))
    expect([seqs(book, 'a'), seqs(book, 'b'), seqs(book, 'c')]).toEqual([[1, 2], [1], []])
    expect([book.last('a'), book.last('c')]).toEqual([2, 0])
  })

  it('goes on where an earlier process ended, also after the records were written over', async () => {
    const store = memoryStore()
    const book = bookOver(store)
    for (let n = 0; n < KEPT_EVENTS + 7; n++) await post(book, store, notice('a'))
    const later = bookOver(store)
    expect(later.last('a')).toBe(KEPT_EVENTS + 7)
    expect(seqs(later, 'a')).toEqual(Array.from({ length: KEPT_EVENTS }, (_, at) => at + 8))
    await post(later, store, notice('a'))
    expect(seqs(later, 'a', KEPT_EVENTS + 6)).toEqual([KEPT_EVENTS + 7, KEPT_EVENTS + 8])
  })

  it('draws a number again whose commit failed', async () => {
    const store = memoryStore()
    const book = bookOver(store)
    await post(book, store, notice('a'))
    store.failures = 1
    await expect(post(book, store, notice('a'), notice('b'))).rejects.toMatchObject({ code: 'store_failed' })
    await post(book, store, notice('a', { event: 'offered' }))
    expect([...book.after('a', 0)].map(({ seq, event }) => [seq, event])).toEqual([
      [1, 'consented'],
      [2, 'offered'],
    ])
  })

  it('shows nothing that is not on the disk yet', async () => {
    const store = memoryStore()
    const book = bookOver(store)
    const posting = post(book, store, notice('a'))
    expect(seqs(book, 'a')).toEqual([])
    await posting
    expect(seqs(book, 'a')).toEqual([1])
  })

  it('holds an end until its session is released, and what comes after it', async () => {
    const store = memoryStore()
    const released = new Set<string>()
    const book = bookOver(store, released)
    const [one, other] = ['1a'.repeat(32), '2b'.repeat(32)]
    await post(book, store, notice('a'), notice('a', { event: 'ended', session_id: one }))
    await post(book, store, notice('a', { event: 'ended', session_id: other }), notice('a'), notice('b'))
    expect([book.last('a'), seqs(book, 'a'), seqs(book, 'b')]).toEqual([1, [1], [1]])
    released.add(other)
    expect(book.last('a')).toBe(1)
    released.add(one)
    expect([book.last('a'), seqs(book, 'a')]).toEqual([4, [1, 2, 3, 4]])
  })

  it('holds nothing for an end whose commit failed', async () => {
    const store = memoryStore()
    const book = bookOver(store)
    store.failures = 1
    await post(book, store, notice('a', { event: 'ended' })).catch(() => undefined)
    await post(book, store, notice('a'))
    expect(seqs(book, 'a')).toEqual([1])
  })

  it('looks at a key for the first time once', () => {
    const book = bookOver(memoryStore())
    expect([book.firstLook('a'), book.firstLook('a'), book.firstLook('b')]).toEqual([true, false, true])
  })

  it('has no gap and loses nothing, whatever fails and whenever it is opened anew', async () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b'), fails: fc.boolean(), restart: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = memoryStore()
        let book = bookOver(store)
        const stood = { a: 0, b: 0 }
        for (const { key, fails, restart } of steps) {
          if (restart) book = bookOver(store)
          store.failures = fails ? 1 : 0
          await post(book, store, notice(key)).then(
            () => (stood[key] += 1),
            () => undefined,
          )
        }
        for (const key of ['a', 'b'] as const)
          expect(seqs(book, key)).toEqual(Array.from({ length: stood[key] }, (_, at) => at + 1))
      }),
    )
  })
})
