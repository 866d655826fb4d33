import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LogEvent } from '../src/log.js'
import { loadPolicyBundle, type PolicyBundle } from '../src/policy-bundle.js'
import { type ReloadDeps, startReloadable } from '../src/reload.js'
import { RelayError } from '../src/relay-error.js'
import { POLICY_DIRECTORY, temporaryDirectory } from './boot.js'

const SOFTWARE = loadPolicyBundle(POLICY_DIRECTORY, 'software')
const OTHER: PolicyBundle = { ...SOFTWARE, hash: '0'.repeat(64) }
const broken = new RelayError('policy_malformed', 'limits.json')

/** What was started and closed, in order, by the first character of each hash. */
const stage = async (first: PolicyBundle, deps: Partial<ReloadDeps> = {}) => {
  const [done, logged]: [string[], LogEvent[]] = [[], []]
  const start = (bundle: PolicyBundle) => {
    done.push(`start ${bundle.hash[0] ?? ''}`)
    return Promise.resolve({
      close: () => {
        done.push(`close ${bundle.hash[0] ?? ''}`)
        return Promise.resolve()
      },
    })
  }
  const log = (event: LogEvent): void => void logged.push(event)
  const relay = await startReloadable(first, { load: () => OTHER, start, log, ...deps })
  return { relay, done, logged }
}
const own = SOFTWARE.hash[0] ?? ''

describe('a reload in the software profile', () => {
  test('begins a new epoch under a bundle that is sound and another one', async () => {
    const { relay, done, logged } = await stage(SOFTWARE)
    await relay.reload()
    expect(done).toEqual([`start ${own}`, `close ${own}`, 'start 0'])
    expect(logged).toEqual([{ event: 'policy_reloaded', policy_bundle_hash: OTHER.hash }])
    await relay.close()
    expect(done.at(-1)).toBe('close 0')
  })

  test('of a broken directory leaves what is in force, and says so', async () => {
    const load = (): never => {
      throw broken
    }
    const { relay, done, logged } = await stage(SOFTWARE, { load })
    await relay.reload()
    expect(done).toEqual([`start ${own}`])
    expect(logged).toEqual([{ event: 'policy_kept', because: 'policy_malformed' }])
  })

  test('of the same bundle changes nothing', async () => {
    const { relay, done, logged } = await stage(SOFTWARE, { load: () => SOFTWARE })
    await relay.reload()
    expect(done).toEqual([`start ${own}`])
    expect(logged).toEqual([{ event: 'policy_kept', because: 'unchanged' }])
  })

  test('under which no relay starts gives way to the one before it', async () => {
    const started: string[] = []
    const start = (bundle: PolicyBundle) => {
      started.push(bundle.hash)
      if (bundle === OTHER) return Promise.reject(new RelayError('surface_missing', 'none'))
      return Promise.resolve({ close: () => Promise.resolve() })
    }
    const { relay, logged } = await stage(SOFTWARE, { start })
    await relay.reload()
    expect(started).toEqual([SOFTWARE.hash, OTHER.hash, SOFTWARE.hash])
    expect(logged).toEqual([{ event: 'policy_kept', because: 'surface_missing' }])
  })

  test('after which no relay starts at all is told to whoever asked', async () => {
    let starts = 0
    const start = () =>
      ++starts === 1
        ? Promise.resolve({ close: () => Promise.resolve() })
        : Promise.reject(new RelayError('listen_failed', 'taken'))
    const { relay } = await stage(SOFTWARE, { start })
    await expect(relay.reload()).rejects.toMatchObject({ code: 'listen_failed' })
    await relay.close()
  })

  test('comes one after the other, and none after the end', async () => {
    const { relay, done } = await stage(SOFTWARE)
    await Promise.all([relay.reload(), relay.reload(), relay.close(), relay.reload()])
    expect(done).toEqual([`start ${own}`, `close ${own}`])
  })
})

test('in the confidential profile the bundle is fixed: a reload reads nothing', async () => {
  const load = (): never => {
    throw new Error('it was read')
  }
  const bundle = loadPolicyBundle(POLICY_DIRECTORY, 'confidential')
  const { relay, done, logged } = await stage(bundle, { load })
  await relay.reload()
  expect(done).toHaveLength(1)
  expect(logged).toEqual([{ event: 'policy_kept', because: 'measured' }])
})

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** A relay in a process of its own, and what it says, a line at a time. */
const running = (directory: string) => {
  writeFileSync(
    join(directory, 'relay.json'),
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0 },
      proxy: null,
      advertise_url: null,
      store_directory: 'store',
      policy_directory: 'policy',
      image_digest: null,
    }),
  )
  const argv = ['--profile', 'software', '--config', join(directory, 'relay.json')]
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', MAIN, ...argv],
    { env: { PATH: process.env['PATH'] ?? '' } },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stderr.resume()
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (event: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const line = await lines.next()
      if (line.done === true) throw new Error(`no ${event}`)
      const said = JSON.parse(line.value) as Record<string, unknown>
      if (said['event'] === event) return said
    }
  }
  return { child, next }
}

test('SIGHUP puts a changed directory in force, keeps it when the next one is broken, and SIGTERM ends both', async () => {
  const directory = temporaryDirectory()
  const policy = join(directory, 'policy')
  cpSync(POLICY_DIRECTORY, policy, { recursive: true })
  const { child, next } = running(directory)
  const first = await next('relay_started')
  // It answers: so it has reached its loop, and hears signals.
  await (await fetch(`${String(first['url'])}/evidence`)).text()
  const limits = JSON.parse(readFileSync(join(policy, 'limits.json'), 'utf8')) as object
  writeFileSync(join(policy, 'limits.json'), JSON.stringify({ ...limits, sessions: 7 }))
  child.kill('SIGHUP')
  const second = await next('relay_started')
  expect(second['keyset_digest']).not.toBe(first['keyset_digest'])
  const { hash } = loadPolicyBundle(policy, 'software')
  expect(await next('policy_reloaded')).toMatchObject({ policy_bundle_hash: hash })
  writeFileSync(join(policy, 'limits.json'), '{}')
  child.kill('SIGHUP')
  expect(await next('policy_kept')).toMatchObject({ because: 'policy_malformed' })
  const status = await fetch(`${String(second['url'])}/evidence`)
  expect(status.status).toBe(200)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code).toBe(0)
})
