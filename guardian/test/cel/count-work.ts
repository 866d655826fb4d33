import { vi } from 'vitest'

/** Work that a program's own steps do not show: units of texts that a look-up or a sort may read. */
export type Work = { readonly lookUps: number; readonly sorting: number }

/** Runs something, and counts the worst case of each map look-up and each comparison of a sort that it makes. */
export const countWork = (run: () => void): Work => {
  const work = { lookUps: 0, sorting: 0 }
  const lookUps = [vi.spyOn(Map.prototype, 'get'), vi.spyOn(Map.prototype, 'has')]
  const { sort } = { sort: Reflect.get(Array.prototype, 'sort') as (this: unknown[], by: By) => unknown[] }
  const sorts = vi.spyOn(Array.prototype, 'sort').mockImplementation(function (this: unknown[], by?: By) {
    return sort.call(this, (a, b) => {
      work.sorting += 1 + Math.min(nameOf(a).length, nameOf(b).length)
      return by?.(a, b) ?? 0
    })
  })
  try {
    run()
  } finally {
    sorts.mockRestore()
    for (const spy of lookUps) {
      for (const [key] of spy.mock.calls as readonly unknown[][])
        if (typeof key === 'string') work.lookUps += key.length
      spy.mockRestore()
    }
  }
  return work
}

type By = (a: unknown, b: unknown) => number

const nameOf = (member: unknown): string =>
  Array.isArray(member) && typeof member[0] === 'string' ? member[0] : ''
