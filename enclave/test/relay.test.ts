import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Collector, parseReport } from '@parley/attestation'
import {
  fromBase64url,
  keysetDigest,
  keysetLeaf,
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseEvidence,
  parseKeyConfigs,
  reportDataOf,
  toBase64url,
  verifyBinding,
} from '@parley/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/clock.js'
import type { RelayConfig } from '../src/config.js'
import type { LogEvent } from '../src/log.js'
import { loadPolicyBundle } from '../src/policy-bundle.js'
import { type Relay, type RelayOptions, startRelay } from '../src/relay.js'
import { fresh, POLICY_DIRECTORY, temporaryDirectory } from './boot.js'
import { testChip } from './chip.js'
import { tinyProxy } from './tiny-proxy.js'

const config = (profile: RelayConfig['profile'], changes: Partial<RelayConfig> = {}): RelayConfig => ({
  profile,
  listen: { host: '127.0.0.1', port: 0 },
  proxy: null,
  advertise_url: null,
  store_directory: temporaryDirectory(),
  policy_directory: POLICY_DIRECTORY,
  image_digest: null,
  collateral_directory: null,
  provider_keys: {},
  previous: null,
  ...changes,
})

type Started = { readonly relay: Relay; readonly logged: LogEvent[] }

function options(
  changes: Partial<RelayOptions> & Pick<RelayOptions, 'config'>,
  logged: LogEvent[] = [],
): RelayOptions {
  const log = (event: LogEvent): void => void logged.push(event)
  return {
    collector: null,
    environment: { PATH: '/bin' },
    clock: systemClock(),
    random: fresh,
    log,
    ...changes,
  }
}

async function started(changes: Partial<RelayOptions> & Pick<RelayOptions, 'config'>): Promise<Started> {
  const logged: LogEvent[] = []
  const relay = await startRelay(options(changes, logged))
  onTestFinished(() => relay.close())
  return { relay, logged }
}

const askEvidence = async (url: string, nonce: string) => {
  const body = JSON.stringify({ nonce })
  const answer = await fetch(`${url}/evidence`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return parseEvidence(parseCanonicalJson(new Uint8Array(await answer.arrayBuffer())))
}

test('a confidential relay answers a nonce with a report over its own keyset', async () => {
  const { collector } = await testChip()
  const { relay } = await started({ config: config('confidential'), collector })
  const nonce = toBase64url(fresh(32))
  const { keyset, binding } = await askEvidence(relay.url, nonce)
  expect(keysetDigest(keyset)).toBe(relay.keysetDigest)
  expect(keyset.lane).toBe('confidential')
  const receiptKey = parseEd25519PublicKey(fromBase64url(keyset.receipt_key))
  const head = verifyBinding('confidential', binding, keysetLeaf(keyset, nonce), {
    keysetDigest: relay.keysetDigest,
    receiptKey,
  })
  const report = parseReport(fromBase64url(binding.hardware?.report ?? ''))
  expect(report.report_data).toEqual(reportDataOf('confidential', head))
})

test('a software relay starts, says what it is, and its restart has other keys over the same store', async () => {
  const same = config('software')
  const first = await startRelay(options({ config: same }))
  await first.close()
  const { relay, logged } = await started({ config: same })
  expect(relay.keyset).toMatchObject({ lane: 'software', platform: 'software' })
  expect(relay.keysetDigest).not.toBe(first.keysetDigest)
  expect(logged.map(({ event }) => event)).toEqual(['relay_started'])
  expect(readdirSync(same.store_directory)).toEqual(['software'])
})

test('a confidential restart says that the epoch before it is lost', async () => {
  const { collector } = await testChip()
  const same = config('confidential')
  const first = await startRelay(options({ config: same, collector }))
  await first.close()
  const { logged } = await started({ config: same, collector })
  expect(logged[0]).toEqual({ event: 'previous_epoch_lost', epochs: 1 })
  expect(readdirSync(join(same.store_directory, 'confidential'))).toHaveLength(2)
})

test('a relay registers the key id that stands in its keyset, where it listens', async () => {
  let draws = 0
  const proxy = await tinyProxy(() => (++draws <= 2 ? 409 : 201))
  const { relay } = await started({ config: config('software', { proxy: proxy.url }) })
  const [own] = parseKeyConfigs(fromBase64url(relay.keyset.ohttp_keys))
  expect(proxy.asked.at(-1)).toEqual({ key_id: own?.keyId, url: relay.url })
  expect(proxy.asked.length).toBeGreaterThanOrEqual(3)
})

test('an advertised URL is registered in place of the own address', async () => {
  const proxy = await tinyProxy(() => 201)
  await started({ config: config('software', { proxy: proxy.url, advertise_url: 'http://10.0.0.2:8081' }) })
  expect(proxy.asked[0]?.url).toBe('http://10.0.0.2:8081')
})

test('a stopped relay takes no connection and says that it stopped', async () => {
  const logged: LogEvent[] = []
  const relay = await startRelay(options({ config: config('software') }, logged))
  await relay.close()
  await expect(fetch(`${relay.url}/health`)).rejects.toThrow()
  expect(logged.at(-1)).toEqual({ event: 'relay_stopped' })
})

test('a request is logged with its tick and the class of its status, and nothing else', async () => {
  const { relay, logged } = await started({ config: config('software') })
  await fetch(`${relay.url}/canary-8675309`, { headers: { 'x-canary': '8675309' } })
  const [request] = logged.filter(({ event }) => event === 'request')
  expect(request).toEqual({ event: 'request', tick: expect.any(Number) as number, status_class: '4xx' })
})

const answering = (collect: Collector['collect']): Collector => ({ platform: 'sev-snp', collect })

test('a confidential relay without a processor is collector_required', async () => {
  await expect(startRelay(options({ config: config('confidential') }))).rejects.toMatchObject({
    code: 'collector_required',
  })
})

test('a software relay with a processor is collector_refused', async () => {
  const { collector } = await testChip()
  await expect(startRelay(options({ config: config('software'), collector }))).rejects.toMatchObject({
    code: 'collector_refused',
  })
})

test('a confidential relay in an environment that steers it is environment_refused', async () => {
  const { collector } = await testChip()
  const environment = { HTTPS_PROXY: 'http://proxy' }
  const start = startRelay(options({ config: config('confidential'), collector, environment }))
  await expect(start).rejects.toMatchObject({ code: 'environment_refused' })
})

test('a software relay does not mind its environment', async () => {
  const environment = { NODE_OPTIONS: '--inspect' }
  const { relay } = await started({ config: config('software'), environment })
  expect(relay.keyset.lane).toBe('software')
})

test('a bundle of another profile is profile_refused', async () => {
  const bundle = loadPolicyBundle(POLICY_DIRECTORY, 'confidential')
  await expect(startRelay(options({ config: config('software'), bundle }))).rejects.toMatchObject({
    code: 'profile_refused',
  })
})

test('a policy directory that is none is policy_malformed', async () => {
  const start = startRelay(
    options({ config: config('software', { policy_directory: temporaryDirectory() }) }),
  )
  await expect(start).rejects.toMatchObject({ code: 'policy_malformed' })
})

test('a first report that fails, or is about something else, or has no chain, is no start, and nothing stays open', async () => {
  const { attest, certificates } = await testChip()
  const cases = [
    ['report_failed', answering(() => Promise.reject(new Error('no')))],
    [
      'report_data_mismatch',
      answering(() => Promise.resolve({ report: attest({}), certificates, table: [] })),
    ],
    [
      'collateral_missing',
      answering((reportData) =>
        Promise.resolve({ report: attest({ reportData }), certificates: [], table: [] }),
      ),
    ],
  ] as const
  const port = await freePort()
  for (const [code, collector] of cases) {
    const failing = config('confidential', { listen: { host: '127.0.0.1', port } })
    await expect(startRelay(options({ config: failing, collector }))).rejects.toMatchObject({ code })
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
    expect(readdirSync(failing.store_directory)).toEqual([])
  }
})

test('a port in use is listen_failed', async () => {
  const { relay } = await started({ config: config('software') })
  const listen = { host: '127.0.0.1', port: Number(new URL(relay.url).port) }
  await expect(startRelay(options({ config: config('software', { listen }) }))).rejects.toMatchObject({
    code: 'listen_failed',
  })
})

test('a host-proxy on which every id is in use is key_ids_exhausted', async () => {
  const proxy = await tinyProxy(() => 409)
  const start = startRelay(options({ config: config('software', { proxy: proxy.url }) }))
  await expect(start).rejects.toMatchObject({ code: 'key_ids_exhausted' })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
