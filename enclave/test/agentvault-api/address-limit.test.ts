import { expect, test } from 'vitest'
import { createAddressLimit } from '../../src/agentvault-api/address-limit.js'
import { fakeClock } from '../fake-clock.js'

test('each address has its own bucket, which fills with time', async () => {
  const clock = fakeClock()
  const allowed = createAddressLimit(2, clock)
  expect([allowed('a'), allowed('a'), allowed('a'), allowed('b')]).toEqual([true, true, false, true])
  await clock.advance(30_000)
  expect([allowed('a'), allowed('a')]).toEqual([true, false])
})

test('beyond 4096 addresses the one not heard of for longest starts anew', () => {
  const allowed = createAddressLimit(1, fakeClock())
  for (let turn = 0; turn < 4096; turn++) allowed(`address ${turn}`)
  expect([allowed('address 0'), allowed('one more'), allowed('address 0'), allowed('address 1')]).toEqual([
    false,
    true,
    false,
    true,
  ])
})
