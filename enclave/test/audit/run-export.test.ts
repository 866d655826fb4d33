import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '@parley/verifier/node'
import { expect, test } from 'vitest'
import { openAuditLog } from '../../src/audit/audit-log.js'
import { beginLog } from '../../src/audit/begin-log.js'
import { exportAudit } from '../../src/audit/run-export.js'
import { openRelayStore } from '../../src/store/open-relay-store.js'
import { fresh, POLICY_DIRECTORY, temporaryDirectory, testKeys } from '../boot.js'
import { fakeClock } from '../fake-clock.js'

const PROFILES = ['software', 'confidential'] as const
type Profile = (typeof PROFILES)[number]

const configIn = (directory: string): string => {
  const path = join(directory, 'relay.json')
  const config = {
    listen: { host: '127.0.0.1', port: 0 },
    proxy: null,
    advertise_url: null,
    store_directory: 'store',
    policy_directory: POLICY_DIRECTORY,
    image_digest: null,
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

/** The store of a relay that wrote its start and a session, still open. */
const written = async (directory: string, profile: Profile) => {
  const keys = testKeys(profile)
  const { epoch } = keys.keyset
  const terms = {
    profile,
    epoch,
    sealingKey: keys.sealingKey,
    lasting: false,
    random: fresh,
    log: () => undefined,
  }
  const store = await openRelayStore({ ...terms, directory: join(directory, 'store') })
  const audit = openAuditLog({ keys, store, clock: fakeClock(), random: fresh })
  await beginLog(audit, store, keys, profile)
  const fields = { session_id: 'a'.repeat(64), contract_hash: 'c'.repeat(64) }
  await audit.append({ event: 'session.created', fields })
  return { store, epoch }
}

const verified = async (argv: readonly string[]) => {
  let out = ''
  const io = { out: (text: string) => void (out += text), err: () => undefined, now: 0 }
  return { code: await run(['audit', ...argv], io), out }
}

test.each(PROFILES)(
  'parley-verify accepts what is exported of a %s relay that still runs',
  async (profile) => {
    const directory = temporaryDirectory()
    const { store, epoch } = await written(directory, profile)
    const out = join(directory, 'out')
    const told = await exportAudit({ profile, config: configIn(directory), out })
    await store.close()
    expect(told).toEqual([`${join(out, epoch)}  2`])
    const at = (name: string): string => join(out, epoch, name)
    expect(readdirSync(join(out, epoch)).sort()).toEqual(['audit.log', 'checkpoint', 'keyset.json'])
    expect(statSync(at('audit.log')).mode & 0o777).toBe(0o600)
    const { code, out: said } = await verified([
      at('checkpoint'),
      ...['--log', at('audit.log')],
      ...['--keyset', at('keyset.json')],
    ])
    expect(said).toMatch(/^holds/)
    expect(code).toBe(0)
  },
)

test('another epoch’s keyset is not the key of the log: exit 2', async () => {
  const directory = temporaryDirectory()
  const first = await written(directory, 'software')
  await first.store.close()
  const second = await written(directory, 'software')
  await second.store.close()
  const out = join(directory, 'out')
  await exportAudit({ profile: 'software', config: configIn(directory), out })
  const [one, other] = [join(out, first.epoch), join(out, second.epoch)]
  const argv = [join(one, 'checkpoint'), '--keyset', join(other, 'keyset.json')]
  expect((await verified(argv)).code).not.toBe(0)
  expect((await verified([join(one, 'checkpoint'), '--keyset', join(one, 'keyset.json')])).code).toBe(0)
})

test('an export overwrites nothing', async () => {
  const directory = temporaryDirectory()
  const { store } = await written(directory, 'software')
  await store.close()
  const asked = { profile: 'software', config: configIn(directory), out: join(directory, 'out') } as const
  await exportAudit(asked)
  await expect(exportAudit(asked)).rejects.toMatchObject({ code: 'store_failed' })
})

test.each([
  ['no store', 'store_failed', (directory: string) => configIn(directory)],
  ['no configuration', 'config_malformed', (directory: string) => join(directory, 'none.json')],
])('where there is %s it is %s, and no store is made', async (_, code, configOf) => {
  const directory = temporaryDirectory()
  const asked = { profile: 'software', config: configOf(directory), out: join(directory, 'out') } as const
  await expect(exportAudit(asked)).rejects.toMatchObject({ code })
  expect(readdirSync(directory).filter((name) => name !== 'relay.json')).toEqual([])
})
