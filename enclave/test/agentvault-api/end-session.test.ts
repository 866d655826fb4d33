import { signingKeyFromSeed } from '@parley/protocol'
import { expect, test } from 'vitest'
import type { ApiServices } from '../../src/agentvault-api/api-services.js'
import type { ApiSession } from '../../src/agentvault-api/api-session.js'
import { createAgentVaultAdmission } from '../../src/agentvault-api/admit-agentvault.js'
import { parseApiConfig } from '../../src/agentvault-api/api-config.js'
import { endSession } from '../../src/agentvault-api/end-session.js'
import { TIMED_OUT } from '../../src/agentvault-api/evaluate-inputs.js'
import { openArtefacts } from '../../src/agentvault-api/open-artefacts.js'
import { createSessionTable } from '../../src/agentvault-api/session-table.js'
import { fresh } from '../boot.js'
import { fakeClock } from '../fake-clock.js'
import { bundleOf, CEL_CONTRACT } from './artefacts.js'

function waiting(): { readonly services: ApiServices; readonly session: ApiSession } {
  const config = parseApiConfig({ agents_file: null, signing_seed_file: 'seed' }, '/')
  const admit = createAgentVaultAdmission({
    config,
    providers: new Map(),
    verifyingKeyHex: '',
    contractBytes: 65_536,
    ...openArtefacts(bundleOf(), null),
  })
  const agreed = admit(CEL_CONTRACT, undefined)
  if ('refused' in agreed) throw new Error(agreed.detail)
  const session: ApiSession = {
    id: 'ab'.repeat(32),
    agreed,
    createdAt: 1_800_000_000,
    accepted: [null, null],
    phase: { kind: 'waiting', deadlineMs: 0, contexts: [undefined, undefined] },
  }
  const table = createSessionTable({ sessions: 1, open_input_bytes: 1 })
  table.put(session)
  const signingKey = signingKeyFromSeed(new Uint8Array(32))
  const services = { config, signingKey, table, clock: fakeClock(), random: fresh } as Partial<ApiServices>
  return { services: services as ApiServices, session }
}

test('a session that ends is the one that the table holds', () => {
  const { services, session } = waiting()
  const ended = endSession(services, session, TIMED_OUT)
  expect(services.table.get(session.id)).toBe(ended)
  expect(ended?.phase).toMatchObject({ kind: 'ended', ending: { abort_reason: 'TIMEOUT', receipt: null } })
})

test('a session that cannot be signed is gone, and nobody is thrown at', () => {
  const { services, session } = waiting()
  const sign = (): never => {
    throw new Error('canary')
  }
  const signingKey = { ...services.signingKey, sign }
  expect(endSession({ ...services, signingKey }, session, TIMED_OUT)).toBeUndefined()
  expect(services.table.get(session.id)).toBeUndefined()
})
