import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHex } from '@parley/protocol'
import { expect, test } from 'vitest'
import type { LogEvent } from '../../src/log.js'
import { openRelayStore, type RelayStoreOptions } from '../../src/store/open-relay-store.js'
import { bytes, fresh, temporaryDirectory } from '../boot.js'

function options(
  profile: RelayStoreOptions['profile'],
  directory: string,
  logged: LogEvent[] = [],
): RelayStoreOptions {
  const log = (event: LogEvent): void => void logged.push(event)
  return {
    profile,
    directory,
    epoch: toHex(fresh(16)),
    sealingKey: fresh(32),
    lasting: false,
    random: fresh,
    log,
  }
}

const RECORD = { kind: 'put' as const, key: 'a', value: bytes('1') }

test('the software store survives a restart', async () => {
  const directory = temporaryDirectory()
  const first = await openRelayStore(options('software', directory))
  await first.commit([RECORD])
  await first.close()
  const logged: LogEvent[] = []
  const second = await openRelayStore(options('software', directory, logged))
  expect(second.get('a')).toEqual(bytes('1'))
  expect(logged).toEqual([])
  await second.close()
})

test('a confidential restart finds nothing of earlier epochs, says how many there were, and leaves them alone', async () => {
  const directory = temporaryDirectory()
  const logged: LogEvent[] = []
  for (let boot = 0; boot < 3; boot++) {
    const store = await openRelayStore(options('confidential', directory, logged))
    expect(store.get('a')).toBeUndefined()
    await store.commit([RECORD])
    await store.close()
  }
  expect(logged).toEqual([
    { event: 'previous_epoch_lost', epochs: 1 },
    { event: 'previous_epoch_lost', epochs: 2 },
  ])
  expect(readdirSync(join(directory, 'confidential'))).toHaveLength(3)
})

test('a directory of the same epoch is refused as store_failed', async () => {
  const same = options('confidential', temporaryDirectory())
  const store = await openRelayStore(same)
  await store.close()
  await expect(openRelayStore(same)).rejects.toMatchObject({ code: 'store_failed' })
})

test.each(['confidential', 'software'] as const)(
  'a %s store under a file is refused as store_failed',
  async (profile) => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, 'no directory')
    await expect(openRelayStore(options(profile, file))).rejects.toMatchObject({ code: 'store_failed' })
  },
)
