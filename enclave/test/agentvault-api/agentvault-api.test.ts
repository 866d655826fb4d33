import { expect, test } from 'vitest'
import { openAgentVaultApi } from '../../src/agentvault-api/agentvault-api.js'
import { parseApiConfig } from '../../src/agentvault-api/api-config.js'
import { fresh, temporaryDirectory } from '../boot.js'
import { fakeClock } from '../fake-clock.js'
import { agentVaultClient } from './agentvault-client.js'
import { bundleOf, CEL_CONTRACT, MODEL_CONTRACT, SCHEMA } from './artefacts.js'
import { openTestApi } from './open-test-api.js'
import { says, scriptedProvider } from './scripted-provider.js'
import { contentHash, verifyAsAgentVault } from './verify-as-agentvault.js'

const OUTPUT = { fit: 'GOOD', confidence: 'HIGH' }

test('a session of two agents, from creation to both receipts, as their client goes through it', async () => {
  const api = await openTestApi({ provider: scriptedProvider(says(OUTPUT)) })
  const client = agentVaultClient(api.url)
  const created = await client.createSession(MODEL_CONTRACT, 'anthropic')
  const { session_id: id, contract_hash } = created
  expect(contract_hash).toBe(contentHash(MODEL_CONTRACT))
  expect(await client.status(id, created.responder_read_token)).toEqual({
    state: 'CREATED',
    abort_reason: null,
  })

  const alice = { text: 'I look for a co-founder' }
  const bob = { text: 'So do I' }
  expect(
    await client.submitInput(id, created.initiator_submit_token, 'initiator', alice, contract_hash),
  ).toEqual({ state: 'PARTIAL', abort_reason: null })
  expect(await client.output(id, created.initiator_read_token)).toEqual({
    state: 'PARTIAL',
    abort_reason: null,
    output: null,
    receipt: null,
    receipt_signature: null,
    receipt_v2: null,
  })
  expect(await client.submitInput(id, created.responder_submit_token, 'responder', bob)).toEqual({
    state: 'PROCESSING',
    abort_reason: null,
  })

  const result = await client.output(id, created.initiator_read_token)
  expect(result).toMatchObject({ state: 'COMPLETED', abort_reason: null, output: OUTPUT })
  expect(await client.output(id, created.responder_read_token)).toEqual(result)

  const { verifying_key_hex: key } = (await client.health()) as { verifying_key_hex: string }
  const artefacts = { output: OUTPUT, contract: MODEL_CONTRACT, outputSchema: SCHEMA }
  expect(verifyAsAgentVault(result.receipt ?? {}, key)).toEqual([])
  expect(verifyAsAgentVault(result.receipt_v2 ?? {}, key, artefacts)).toEqual([])
  expect(verifyAsAgentVault({ ...result.receipt_v2, issued_at: 'never' }, key)).toEqual(['signature'])
  expect(result.receipt_signature).toBe(result.receipt?.['signature'])
  expect(result.receipt).toMatchObject({ session_id: id, contract_hash, output: OUTPUT })
  expect(result.receipt_v2).toMatchObject({
    session_id: id,
    commitments: {
      input_commitments: [
        { participant_id: 'alice', input_hash: contentHash(alice) },
        { participant_id: 'bob', input_hash: contentHash(bob) },
      ],
    },
  })
})

test('a contract with a program of its own needs no provider', async () => {
  const api = await openTestApi()
  const client = agentVaultClient(api.url)
  const created = await client.createSession(CEL_CONTRACT)
  await client.submitInput(created.session_id, created.responder_submit_token, 'bob', { least: 5 })
  await client.submitInput(created.session_id, created.initiator_submit_token, 'alice', { most: 7 })
  const result = await client.output(created.session_id, created.responder_read_token)
  expect(result).toMatchObject({ state: 'COMPLETED', output: { meets: 'YES' } })
  expect(verifyAsAgentVault(result.receipt ?? {}, api.verifyingKeyHex)).toEqual([])
  expect(
    verifyAsAgentVault(result.receipt_v2 ?? {}, api.verifyingKeyHex, { contract: CEL_CONTRACT }),
  ).toEqual([])
  expect(api.provider.asked).toEqual([])
})

test('a bundle of the confidential profile is profile_refused', async () => {
  const config = parseApiConfig(
    { agents_file: null, signing_seed_file: 'seed', listen: { host: '127.0.0.1', port: 0 } },
    `${temporaryDirectory()}/api.json`,
  )
  const bundle = bundleOf({}, 'confidential')
  const opened = openAgentVaultApi({
    config,
    bundle,
    providers: new Map(),
    clock: fakeClock(),
    random: fresh,
  })
  await expect(opened).rejects.toMatchObject({ code: 'profile_refused' })
})

test('a port in use is listen_failed', async () => {
  const { url } = await openTestApi()
  const listen = { host: '127.0.0.1', port: Number(new URL(url).port) }
  await expect(openTestApi({ config: { listen } })).rejects.toMatchObject({ code: 'listen_failed' })
})
