import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { agentVaultClient } from './agentvault-api/agentvault-client.js'
import { CEL_CONTRACT } from './agentvault-api/artefacts.js'
import { verifyAsAgentVault } from './agentvault-api/verify-as-agentvault.js'
import { POLICY_DIRECTORY, temporaryDirectory } from './boot.js'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const LISTEN = { host: '127.0.0.1', port: 0 }
const API = { listen: LISTEN, agents_file: null, signing_seed_file: 'seed' }

type Started = { readonly child: ChildProcessWithoutNullStreams; readonly directory: string }

function start(api: object | string, profile = 'software'): Started {
  const directory = temporaryDirectory()
  const write = (name: string, value: unknown): string => {
    writeFileSync(join(directory, name), typeof value === 'string' ? value : JSON.stringify(value))
    return join(directory, name)
  }
  const config = write('relay.json', {
    listen: LISTEN,
    proxy: null,
    advertise_url: null,
    store_directory: 'store',
    policy_directory: POLICY_DIRECTORY,
    image_digest: null,
  })
  const argv = ['--profile', profile, '--config', config, '--agentvault-api', write('api.json', api)]
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', MAIN, ...argv], {
    env: { PATH },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, directory }
}

async function ended({ child }: Started): Promise<{ readonly code: number | null; readonly err: string }> {
  let err = ''
  child.stdout.resume()
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  await once(child, 'close')
  return { code: child.exitCode, err }
}

type Event = { readonly event: string; readonly url: string; readonly verifying_key_hex: string }

function apiStarted({ child }: Started): Promise<Event> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString()
      for (const line of text.split('\n').slice(0, -1)) {
        const event = JSON.parse(line) as Event
        if (event.event === 'agentvault_api_started') resolve(event)
      }
    })
    child.on('close', () => {
      reject(new Error('the relay ended'))
    })
  })
}

test('a software relay speaks AgentVault’s API beside its own, and ends with it', async () => {
  const started = start(API)
  const { url, verifying_key_hex } = await apiStarted(started)
  const client = agentVaultClient(url)
  const created = await client.createSession(CEL_CONTRACT)
  await client.submitInput(created.session_id, created.initiator_submit_token, 'initiator', { most: 2 })
  await client.submitInput(created.session_id, created.responder_submit_token, 'responder', { least: 1 })
  const result = await client.output(created.session_id, created.responder_read_token)
  expect(result).toMatchObject({ state: 'COMPLETED', output: { meets: 'YES' } })
  expect(verifyAsAgentVault(result.receipt_v2 ?? {}, verifying_key_hex)).toEqual([])
  started.child.kill('SIGTERM')
  expect(await ended(started)).toEqual({ code: 0, err: '' })
})

test('in the confidential profile it is profile_refused, before any file of it is read', async () => {
  const started = start('no json', 'confidential')
  expect(await ended(started)).toEqual({
    code: 1,
    err: 'parley-relay: profile_refused: the confidential profile does not speak the AgentVault API\n',
  })
})

test.each([
  ['no JSON', 'no json'],
  ['an unknown member', { ...API, verbose: true }],
  ['an agents file that is not there', { ...API, agents_file: 'none' }],
  ['a key for no provider', { ...API, provider_keys: { main: 'key' } }],
])('a file with %s is config_malformed, and no key is made', async (_, api) => {
  const started = start(api)
  const { code, err } = await ended(started)
  expect(code).toBe(1)
  expect(err).toMatch(/^parley-relay: config_malformed: /)
  expect(existsSync(join(started.directory, 'seed'))).toBe(false)
})
