import { signingKeyFromSeed, utf8 } from '@parley/protocol'
import { expect, test } from 'vitest'
import { acceptInput } from '../../src/agentvault-api/accept-input.js'
import { createAgentVaultAdmission } from '../../src/agentvault-api/admit-agentvault.js'
import { parseApiConfig } from '../../src/agentvault-api/api-config.js'
import type { ApiServices } from '../../src/agentvault-api/api-services.js'
import { createInviteTable } from '../../src/agentvault-api/invite-table.js'
import { openArtefacts } from '../../src/agentvault-api/open-artefacts.js'
import { openSession } from '../../src/agentvault-api/open-session.js'
import { createSessionTable } from '../../src/agentvault-api/session-table.js'
import { fresh } from '../boot.js'
import { fakeClock } from '../fake-clock.js'
import { bundleOf, MODEL_CONTRACT } from './artefacts.js'
import { scriptedProvider } from './scripted-provider.js'

test('an input waits as the canonical bytes that are counted, not as the graph that a sender chose', () => {
  const config = parseApiConfig({ agents_file: null, signing_seed_file: 'seed' }, '/')
  const admit = createAgentVaultAdmission({
    config,
    providers: new Map([['anthropic', scriptedProvider()]]),
    verifyingKeyHex: '',
    contractBytes: 65_536,
    ...openArtefacts(bundleOf(), null),
  })
  const agreed = admit(MODEL_CONTRACT, undefined)
  if ('refused' in agreed) throw new Error(agreed.detail)
  const table = createSessionTable({ sessions: 1, open_input_bytes: 64 })
  const signingKey = signingKeyFromSeed(new Uint8Array(32))
  const invites = createInviteTable(1)
  const stands = { config, signingKey, table, invites, clock: fakeClock(), random: fresh }
  const services = { ...stands, mostContractBytes: 65_536 } as Partial<ApiServices> as ApiServices
  const session = openSession(services, agreed)
  if ('refused' in session) throw new Error(session.detail)
  const accepted = acceptInput(services, session, 0, [[], [], {}])
  expect(accepted).toMatchObject({
    accepted: [{ bytes: 10 }, null],
    phase: { kind: 'waiting', contexts: [utf8('[[],[],{}]'), undefined] },
  })
})
