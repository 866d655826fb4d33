import { expect, test } from 'vitest'
import { createReplayGuard } from '../../src/gateway/replay-guard.js'
import { fresh } from '../boot.js'

test('an encapsulation is admitted once', () => {
  const guard = createReplayGuard(10)
  const enc = fresh(32)
  expect([guard.admit(enc), guard.admit(enc), guard.admit(enc.slice())]).toEqual([
    'admitted',
    'replayed',
    'replayed',
  ])
})

test('a full memory admits nothing, and forgets nothing', () => {
  const guard = createReplayGuard(2)
  const known = [fresh(32), fresh(32)]
  expect(known.map((enc) => guard.admit(enc))).toEqual(['admitted', 'admitted'])
  for (let attempt = 0; attempt < 100; attempt++) expect(guard.admit(fresh(32))).toBe('full')
  expect(known.map((enc) => guard.admit(enc))).toEqual(['replayed', 'replayed'])
})
