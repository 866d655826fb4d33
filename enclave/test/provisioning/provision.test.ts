import { CLOSED_DATA_POLICY } from '@parley/guardian'
import { formatDid, generateSigningKey, type JsonObject, type Lane, type SigningKey } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { type Models, openModels } from '../../src/model/open-models.js'
import { missingSecrets, openProvisioning, type Provision } from '../../src/provisioning/provision.js'
import { createSessions } from '../../src/session/app.js'
import { fresh, providerOf, theAuthority, toLoopback } from '../model/doubles/open-double.js'
import { modelContract, REGISTRY } from '../session/model-contract.js'
import { good, Participant, type Twist } from '../session/participant.js'
import { testRelay, type TestRelay } from '../session/test-relay.js'
import { systemClock } from '../../src/clock.js'

type Provisioned = {
  readonly relay: TestRelay
  readonly models: Models
  readonly authority: Participant
  readonly send: (keys: JsonObject, twist?: Twist, more?: JsonObject) => ReturnType<Participant['send']>
}

const didOf = ({ publicKey }: SigningKey): string =>
  formatDid({ namespace: 'self', kind: 'agent', publicKey })

const NO_LOG = { audit: { append: () => Promise.reject(new Error('no host is refused here')) } }

/** A relay whose bundle names two providers with keys and one without, and an authority of that bundle. */
const open = async (lane: Lane = 'confidential', authorities?: readonly string[]): Promise<Provisioned> => {
  const { root } = await theAuthority()
  const providers = [providerOf('openai', [root]), providerOf('anthropic', [root]), providerOf('local', [])]
  const bundle = { providers, data: CLOSED_DATA_POLICY }
  const time = { clock: systemClock(), random: fresh }
  const models = await openModels({ bundle, keys: {}, connect: toLoopback(1), roots: [], ...time, ...NO_LOG })
  const key = generateSigningKey()
  const bare = testRelay({ lane, registry: REGISTRY, models: models.services })
  const { keys, audit } = bare.deps
  const provision: Provision | undefined = openProvisioning({
    keys,
    bundle: { authorities: authorities ?? [didOf(key)] },
    models,
    audit,
  })
  const deps = { ...bare.deps, provision }
  const relay = { ...bare, deps, sessions: createSessions(deps) }
  const authority = new Participant(relay, 'initiator', key)
  const named = { keyset_digest: keys.keysetDigest }
  const send: Provisioned['send'] = (provider_keys, twist = {}, more = {}) =>
    authority.send('POST', '/v1/provisioning', { ...named, provider_keys, ...more }, twist)
  return { relay, models, authority, send }
}

describe('an authority of the bundle', () => {
  it('gives a relay its secrets, and is told whose are missing', async () => {
    const { send, models } = await open()
    expect(missingSecrets(models)).toEqual(['openai', 'anthropic'])
    const reply = await send({ anthropic: 'sk-1' })
    expect(good(reply)).toEqual({ held: ['anthropic'], missing: ['openai'] })
    expect(missingSecrets(models)).toEqual(['openai'])
  })

  it('is answered in one size, whatever is held', async () => {
    const { send } = await open()
    const sizes = [await send({}), await send({ openai: 'k'.repeat(1024), anthropic: 'sk-1' })]
    expect(sizes.map(({ padTo }) => padTo)).toEqual([16_384, 16_384])
  })

  it('takes secrets back by naming the others alone', async () => {
    const { send, models } = await open()
    good(await send({ openai: 'sk-1', anthropic: 'sk-2' }))
    expect(good(await send({ anthropic: 'sk-3' }))).toEqual({ held: ['anthropic'], missing: ['openai'] })
    expect([...models.services.keys()]).toEqual(['anthropic', 'local'])
    expect(good(await send({}))).toEqual({ held: [], missing: ['openai', 'anthropic'] })
  })

  it('stands in the audit log with how many it gave, and no key does', async () => {
    const { send, relay, authority } = await open()
    good(await send({ openai: 'sk-very-secret' }))
    expect(relay.audit.events).toEqual([
      { event: 'relay.provisioned', fields: { authority: authority.did, held: 1 } },
    ])
    expect(JSON.stringify([relay.audit.events, relay.logged])).not.toContain('secret')
  })

  it('lets a contract in that was refused before, and out again with the key', async () => {
    const { send, relay } = await open()
    const contract = modelContract('openai')
    const asker = new Participant(relay, 'initiator')
    const ask = () => asker.create(contract, null)
    asker.refused(await ask(), 'contract_refused', 'evaluator_unavailable (llm) /evaluator')
    good(await send({ anthropic: 'sk-1' }))
    asker.refused(await ask(), 'contract_refused', 'evaluator_unavailable /model_profile_hash')
    good(await send({ openai: 'sk-1' }))
    good(await ask(), 201)
    good(await send({}))
    asker.refused(await ask(), 'contract_refused', 'evaluator_unavailable (llm) /evaluator')
  })
})

describe('secrets are taken from nobody', () => {
  it('where the bundle names no authority', async () => {
    const { send, authority, models } = await open('confidential', [])
    authority.refused(await send({ openai: 'sk-1' }), 'route_unknown')
    expect(models.held()).toEqual([])
  })

  it('in the software lane, whose operator has them anyway', async () => {
    const { send, authority } = await open('software')
    authority.refused(await send({ openai: 'sk-1' }), 'route_unknown')
  })

  it('who is no authority of the bundle', async () => {
    const { relay, models } = await open()
    const stranger = new Participant(relay, 'initiator')
    const body = { keyset_digest: relay.deps.keys.keysetDigest, provider_keys: { openai: 'sk-1' } }
    stranger.refused(await stranger.send('POST', '/v1/provisioning', body), 'role_refused')
    expect(models.held()).toEqual([])
  })

  it('who signs as the authority with another key', async () => {
    const { relay, authority, models } = await open()
    const thief = new Participant(relay, 'initiator')
    const body = { keyset_digest: relay.deps.keys.keysetDigest, provider_keys: { openai: 'sk-1' } }
    const reply = await thief.send('POST', '/v1/provisioning', body, { keyId: authority.did })
    thief.refused(reply, 'http_signature_invalid')
    expect(models.held()).toEqual([])
  })
})

describe('a request for provisioning is refused', () => {
  const OTHER = 'ab'.repeat(32)

  it('for another keyset', async () => {
    const { send, authority, models } = await open()
    const reply = await send({ openai: 'sk-1' }, {}, { keyset_digest: OTHER })
    authority.refused(reply, 'request_malformed', 'keyset_digest')
    expect(models.held()).toEqual([])
  })

  it('that was made for another encapsulation', async () => {
    const { relay, authority, models } = await open()
    const body = { keyset_digest: relay.deps.keys.keysetDigest, provider_keys: { openai: 'sk-1' } }
    const request = authority.request('POST', '/v1/provisioning', body, { enc: fresh(32) })
    const response = await relay.sessions.handle(request, { enc: fresh(32), encapsulation: OTHER })
    expect(response.status).toBe(401)
    expect(models.held()).toEqual([])
  })

  it('that comes after a later one, as a host that kept it back would have it', async () => {
    const { send, authority, models } = await open()
    good(await send({ openai: 'sk-new' }, { seq: 20 }))
    for (const seq of [19, 20])
      authority.refused(await send({ anthropic: 'sk-old' }, { seq }), 'sequence_replayed')
    expect(models.held()).toEqual(['openai'])
    good(await send({}, { seq: 21 }))
  })

  it('that was changed on its way', async () => {
    const { send, authority, models } = await open()
    const tamper: Twist['tamper'] = (request) => ({
      ...request,
      content: request.content.map((octet, at) => (at === 20 ? octet ^ 1 : octet)),
    })
    authority.refused(await send({ openai: 'sk-1' }, { tamper }), 'http_signature_invalid')
    expect(models.held()).toEqual([])
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['a provider that the bundle does not have', { gpt: 'sk-1' }, {}],
    ['a provider that takes no key', { local: 'sk-1' }, {}],
    ['a key of another form', { openai: 'sk 1' }, {}],
    ['another member', { openai: 'sk-1' }, { tls_key: 'x' }],
  ])('with %s, and changes nothing', async (_, keys, more) => {
    const { send, authority, models } = await open()
    good(await send({ anthropic: 'sk-1' }))
    const refusal = authority.refused(await send(keys, {}, more), 'request_malformed')
    expect(refusal.detail).not.toContain('sk')
    expect(models.held()).toEqual(['anthropic'])
  })

  it('that is over its bound', async () => {
    const { send, authority } = await open()
    authority.refused(await send({ openai: 'k'.repeat(140_000) }), 'too_large')
  })

  it('in a session, in a role or under an offer', async () => {
    const { send, authority } = await open()
    authority.refused(await send({}, { session: OTHER }), 'request_malformed')
    authority.refused(await send({}, { offer: OTHER }), 'request_malformed')
    authority.refused(await send({}, { role: 'responder' }), 'role_refused')
  })

  it('where it can’t be written to the log first', async () => {
    const { relay, authority, send, models } = await open()
    relay.disk.failures = 1
    authority.refused(await send({ openai: 'sk-1' }), 'relay_failed')
    expect(models.held()).toEqual([])
  })
})
