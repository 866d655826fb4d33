import { expect, it } from 'vitest'
import { createAcquaintance } from '../../src/inbox/acquaintance.js'
import { memoryStore } from '../session/memory-store.js'

it('keys that confer know each other, in every later process, and are written once', async () => {
  const store = memoryStore()
  const first = createAcquaintance(store)
  const writes = first.writes(['a', 'b', 'c'])
  expect(writes).toHaveLength(6)
  expect(first.knows('a', 'b')).toBe(false)
  await store.commit(writes)
  const later = createAcquaintance(store)
  expect([later.knows('a', 'b'), later.knows('c', 'a'), later.knows('a', 'd')]).toEqual([true, true, false])
  expect(later.writes(['b', 'a'])).toEqual([])
  expect(later.writes(['a', 'd'])).toHaveLength(2)
})
