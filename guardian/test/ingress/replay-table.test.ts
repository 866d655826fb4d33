import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NONCE_LIFE_S, ReplayTable } from '../../src/index.js'

const NOW = 1_748_390_400
const nonce = (name: string, origin_id = 'a', issued_at = NOW) => ({ origin_id, nonce: name, issued_at })

describe('A2A-17: a nonce', () => {
  test('is accepted once', () => {
    const table = new ReplayTable()
    expect(table.take(nonce('n'), NOW)).toBe('taken')
    expect(table.take(nonce('n'), NOW)).toBe('replay')
    expect(table.take(nonce('n', 'a', NOW + 1), NOW + 1)).toBe('replay')
  })

  test('is one origin’s: another may use the same', () => {
    const table = new ReplayTable()
    table.take(nonce('n'), NOW)
    expect(table.take(nonce('n', 'b'), NOW)).toBe('taken')
  })

  test('is refused for 700 s, longer than its task can be in the window', () => {
    const table = new ReplayTable()
    table.take(nonce('n', 'a', NOW + 300), NOW)
    expect(table.take(nonce('n', 'a', NOW + 300), NOW + 699)).toBe('replay')
    expect(table.take(nonce('n', 'a', NOW + 300), NOW + NONCE_LIFE_S)).toBe('replay')
  })

  test('may come back once it was given back', () => {
    const table = new ReplayTable()
    table.take(nonce('n'), NOW)
    table.release(nonce('n'))
    table.release(nonce('n'))
    expect(table.take(nonce('n'), NOW)).toBe('taken')
  })

  test('is still refused by a table that was restored', () => {
    const before = new ReplayTable()
    before.take(nonce('n'), NOW)
    const after = new ReplayTable()
    after.restore(before.records(), before.forgottenUpTo)
    expect(after.take(nonce('n'), NOW + 1)).toBe('replay')
  })

  test('is refused when a clock ran ahead, made the table forget it, and came back', () => {
    const table = new ReplayTable()
    table.take(nonce('n'), NOW)
    expect(table.take(nonce('m', 'a', NOW + 3600), NOW + 3600)).toBe('taken')
    expect(table.records()).toHaveLength(1)
    expect(table.take(nonce('n'), NOW)).toBe('replay')
    const restored = new ReplayTable()
    restored.restore(table.records(), table.forgottenUpTo)
    expect(restored.take(nonce('n'), NOW)).toBe('replay')
  })
})

describe('A2A-18: the table', () => {
  test('holds 2,500 nonces an origin', () => {
    const table = new ReplayTable()
    for (let i = 0; i < 2500; i++) expect(table.take(nonce(`n${String(i)}`), NOW)).toBe('taken')
    expect(table.take(nonce('more'), NOW)).toBe('nonce_quota')
    expect(table.take(nonce('more', 'b'), NOW)).toBe('taken')
  })

  test('holds 10,000 in all, and forgets none that lives', () => {
    const table = new ReplayTable()
    for (let i = 0; i < 10_000; i++) table.take(nonce(`n${String(i)}`, `o${String(i % 8)}`), NOW)
    expect(table.take(nonce('more', 'new'), NOW + NONCE_LIFE_S)).toBe('nonce_store_full')
    expect(table.take(nonce('n0', 'o0'), NOW)).toBe('replay')
    expect(table.records()).toHaveLength(10_000)
  })

  test('has room again once nonces have expired or were given back', () => {
    const table = new ReplayTable({ capacity: 1, perOrigin: 1 })
    table.take(nonce('n'), NOW)
    expect(table.take(nonce('m'), NOW)).toBe('nonce_store_full')
    table.release(nonce('n'))
    expect(table.take(nonce('m'), NOW)).toBe('taken')
    const later = NOW + NONCE_LIFE_S + 1
    expect(table.take(nonce('k', 'a', later), later)).toBe('taken')
  })

  test('accepts no task twice, whatever clocks and orders do', () => {
    const task = fc.record({ at: fc.integer({ min: 0, max: 30 }), now: fc.integer({ min: 0, max: 5000 }) })
    fc.assert(
      fc.property(fc.array(task, { maxLength: 60 }), (tasks) => {
        const table = new ReplayTable({ capacity: 20, perOrigin: 20 })
        const taken = tasks.flatMap(({ at, now }) => {
          const issued_at = at * 100
          return table.take(nonce(`n${String(at)}`, 'a', issued_at), now) === 'taken' ? [at] : []
        })
        expect(new Set(taken).size).toBe(taken.length)
      }),
    )
  })
})
