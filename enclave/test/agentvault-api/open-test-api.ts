import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@parley/protocol'
import { onTestFinished } from 'vitest'
import { type AgentVaultApi, openAgentVaultApi } from '../../src/agentvault-api/agentvault-api.js'
import { parseApiConfig } from '../../src/agentvault-api/api-config.js'
import type { Limits } from '../../src/policy-bundle.js'
import { fresh, temporaryDirectory } from '../boot.js'
import { type FakeClock, fakeClock } from '../fake-clock.js'
import { bundleOf } from './artefacts.js'
import { type ScriptedProvider, scriptedProvider } from './scripted-provider.js'

export const AGENTS = {
  agents: [
    { agent_id: 'alice', inbox_token: 'inbox-of-alice', public_key_hex: 'aa'.repeat(32) },
    { agent_id: 'bob', inbox_token: 'inbox-of-bob' },
    { agent_id: 'carol', inbox_token: 'inbox-of-carol' },
  ],
}

export type TestApi = AgentVaultApi & {
  readonly clock: FakeClock
  readonly provider: ScriptedProvider
}

export type TestApiOptions = {
  readonly config?: JsonObject
  readonly limits?: Partial<Limits>
  readonly provider?: ScriptedProvider
  readonly withoutProviders?: boolean
}

/** An API on loopback whose clock a test moves; closed when the test is over. */
export async function openTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { provider = scriptedProvider() } = options
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'agents.json'), JSON.stringify(AGENTS), { mode: 0o600 })
  const config = parseApiConfig(
    {
      listen: { host: '127.0.0.1', port: 0 },
      agents_file: 'agents.json',
      signing_seed_file: 'seed',
      ...options.config,
    },
    join(directory, 'api.json'),
  )
  const clock = fakeClock()
  const api = await openAgentVaultApi({
    config,
    bundle: bundleOf(options.limits),
    providers: new Map(options.withoutProviders === true ? [] : [['anthropic', provider]]),
    clock,
    random: fresh,
  })
  onTestFinished(() => api.close())
  return { ...api, clock, provider }
}
