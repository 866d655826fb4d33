import { expect, test } from 'vitest'
import { RelayError } from '../../src/relay-error.js'
import { groupCommits } from '../../src/store/group-commits.js'

/** Runs work as a transaction does; the disk can be made to fail when the outermost one ends. */
function disk() {
  const state = { broken: false, flushes: 0, depth: 0, done: [] as string[] }
  const transact = (work: () => void): void => {
    state.depth++
    const before = [...state.done]
    try {
      work()
    } catch (error) {
      state.done = before
      throw error
    } finally {
      state.depth--
    }
    if (state.depth > 0) return
    state.flushes++
    if (state.broken) {
      state.done = before
      throw new Error('Input/output error')
    }
  }
  return { state, transact }
}

test('commits of one turn share one flush', async () => {
  const { state, transact } = disk()
  const commits = groupCommits(transact)
  await Promise.all(['a', 'b', 'c'].map((name) => commits.add(() => state.done.push(name))))
  expect(state.done).toEqual(['a', 'b', 'c'])
  expect(state.flushes).toBe(1)
})

test('a conflict rolls back its own commit and no other', async () => {
  const { state, transact } = disk()
  const commits = groupCommits(transact)
  const outcomes = await Promise.allSettled([
    commits.add(() => state.done.push('a')),
    commits.add(() => {
      state.done.push('half')
      throw new RelayError('store_conflict', 'no')
    }),
    commits.add(() => state.done.push('b')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(state.done).toEqual(['a', 'b'])
})

test('after a failed flush every commit of it and every later one is refused, even when the disk is back', async () => {
  const { state, transact } = disk()
  const commits = groupCommits(transact)
  state.broken = true
  const outcomes = await Promise.allSettled([commits.add(() => undefined), commits.add(() => undefined)])
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  state.broken = false
  await expect(commits.add(() => state.done.push('late'))).rejects.toMatchObject({ code: 'store_failed' })
  expect(state.done).toEqual([])
})

test('an error of the library inside one commit counts as a failed flush', async () => {
  const { transact } = disk()
  const commits = groupCommits(transact)
  const broken = commits.add(() => {
    throw new Error('MDB_MAP_FULL')
  })
  await expect(broken).rejects.toMatchObject({ code: 'store_failed' })
  await expect(commits.add(() => undefined)).rejects.toMatchObject({ code: 'store_failed' })
})

test('a commit alone needs no nested transaction, and its conflict leaves nothing behind', async () => {
  const { state, transact } = disk()
  let deepest = 0
  const commits = groupCommits((work) => {
    transact(() => {
      deepest = Math.max(deepest, state.depth)
      work()
    })
  })
  const refused = commits.add(() => {
    state.done.push('half')
    throw new RelayError('store_conflict', 'no')
  })
  await expect(refused).rejects.toMatchObject({ code: 'store_conflict' })
  expect(state.done).toEqual([])
  await commits.add(() => state.done.push('a'))
  expect(state.done).toEqual(['a'])
  expect(deepest).toBe(1)
})

test('a commit alone is refused where the disk fails under it, and so is every later one', async () => {
  const { state, transact } = disk()
  const commits = groupCommits(transact)
  state.broken = true
  await expect(commits.add(() => state.done.push('a'))).rejects.toMatchObject({ code: 'store_failed' })
  state.broken = false
  await expect(commits.add(() => state.done.push('b'))).rejects.toMatchObject({ code: 'store_failed' })
  expect(state.done).toEqual([])
})
