import { chmodSync, readFileSync } from 'node:fs'
import type { JsonObject } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { confer } from '../../../test/harness/confer.js'
import { at, honest, type Passing } from '../../../test/harness/hostile-proxy.js'
import { judge } from '../../../test/harness/judge.js'
import { openRelay } from '../../../test/harness/relay.js'
import { bytesIn } from '../../../test/harness/search.js'
import { trustOf } from '../../../test/harness/trust.js'
import { generateIdentity, provisionRelay, systemClock } from '../../src/index.js'
import { KEY, openScene, parley, type Scene } from './scene.js'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
})

const example = (role: string): JsonObject =>
  JSON.parse(
    readFileSync(new URL(`../../../registry/examples/compatibility/${role}.json`, import.meta.url), 'utf8'),
  ) as JsonObject
const INPUTS = [example('initiator'), example('responder')] as const

describe('parley provision', () => {
  it('lets a confidential relay ask its provider, which it refused before; the receipts verify', async () => {
    const { stage, contract, provision, health, model } = scene
    expect(await health()).toMatchObject({ missing_secrets: ['claude'] })
    await expect(confer(stage, INPUTS, contract)).rejects.toMatchObject({ code: 'contract_refused' })

    expect(await provision({ claude: KEY })).toEqual({ code: 0, out: 'held     claude\n', err: '' })
    expect(await health()).toMatchObject({ missing_secrets: [] })
    for (const bundle of await confer(stage, INPUTS, contract)) {
      const { trusted, simulated, assurance_level } = await judge(bundle, stage.trust)
      expect({ trusted, simulated, assurance_level }).toEqual({
        ...{ trusted: true, simulated: true, assurance_level: 'TEE_ATTESTED' },
      })
      expect(bundle.receipt).toMatchObject({
        ...{ evaluator: 'llm', provider_account: 'acme-research', egress_channel: 'unbounded' },
        outcome: { status: 'COMPLETED' },
      })
      expect(JSON.stringify(bundle)).not.toContain(KEY)
    }
    expect(model.heard.map(({ headers }) => headers['x-api-key'])).toEqual([KEY])
  })

  it('leaves the key in no byte that passes the host, in no log and on no disk', async () => {
    const { stage, provision, lines, store, relay } = scene
    await provision({ claude: KEY })
    const passed = stage.host.seen.flatMap(({ request, answer }) => [
      request.body,
      answer?.body ?? Buffer.of(),
    ])
    const logged = Buffer.from(lines.join('\n'))
    const seen = Buffer.concat([...passed, bytesIn(store), logged])
    // The search finds what is there.
    expect(logged.includes(relay.keysetDigest) && seen.includes(relay.keysetDigest)).toBe(true)
    expect(seen.includes(KEY)).toBe(false)
  })

  it('sends as many octets for one key as for none', async () => {
    const { stage, provision } = scene
    const from = stage.host.seen.length
    await provision({})
    await provision({ claude: KEY.repeat(30) })
    const sealed = stage.host.seen.slice(from).filter(({ request }) => request.path === '/ohttp')
    expect(
      new Set(sealed.map(({ request, answer }) => `${request.body.length}/${answer?.body.length ?? 0}`)).size,
    ).toBe(1)
    expect(sealed).toHaveLength(2)
  })

  it('says in JSON whose keys are held and whose are missing', async () => {
    const { provision, relay } = scene
    const said = await provision({}, '--json')
    expect(JSON.parse(said.out)).toEqual({ keyset_digest: relay.keysetDigest, held: [], missing: ['claude'] })
  })
})

describe('a host between authority and relay', () => {
  it('that sends a provisioning again is refused, and changes nothing', async () => {
    const { stage, provision, health } = scene
    await provision({ claude: KEY })
    const taken = stage.host.seen.slice(-1).map(({ request }) => request)
    await provision({})
    for (const request of taken) expect((await stage.host.pass(request)).status).toBe(200)
    expect(taken.map(({ path }) => path)).toEqual(['/ohttp'])
    expect(await health()).toMatchObject({ missing_secrets: ['claude'] })
  })

  it('that holds one back and delivers it after a later one brings no old key back', async () => {
    const { stage, provision, health } = scene
    const kept: Passing[] = []
    stage.host.meddle = at('/ohttp', (request) => {
      kept.push(request)
      return Promise.resolve({ status: 503, headers: {}, body: Buffer.of() })
    })
    expect(await provision({ claude: KEY })).toMatchObject({ code: 7 })
    stage.host.meddle = honest
    expect(await provision({})).toMatchObject({ code: 0, out: 'missing  claude\n' })
    for (const old of kept) expect((await stage.host.pass(old)).status).toBe(200)
    expect(kept).toHaveLength(1)
    expect(await health()).toMatchObject({ missing_secrets: ['claude'] })
  })

  it('that swaps the evidence gets nothing that is sealed', async () => {
    const { stage, provision } = scene
    const other = await openRelay('confidential')
    const before = stage.host.sealed()
    stage.host.meddle = at('/evidence', (request, pass) => pass(request, other.url))
    const said = await provision({ claude: KEY })
    stage.host.meddle = honest
    expect(said).toMatchObject({ code: 3, err: expect.stringContaining('relay_not_trusted') as string })
    expect(stage.host.sealed()).toBe(before)
  })
})

describe('nothing is given', () => {
  it('by somebody whom the bundle does not name', async () => {
    const { stage, file, provision } = scene
    const home = file('stranger', '')
    await parley('init', '--home', `${home}-home`)
    // The later of two options counts.
    const said = await provision({ claude: KEY }, '--authority', `${home}-home/identity.json`)
    expect(said).toMatchObject({ code: 6, err: expect.stringContaining('role_refused') as string })
    expect(stage.host.seen.length).toBeGreaterThan(0)
  })

  it('to a relay of the software lane, whatever the policy accepts', async () => {
    const { stage } = scene
    const relay = await openRelay('software')
    const attested = await stage.buyer.attest(relay.url, await trustOf(relay.keyset))
    const asker = { identity: generateIdentity(), relay: attested, clock: systemClock }
    await expect(provisionRelay(asker, { claude: KEY })).rejects.toMatchObject({ code: 'relay_not_trusted' })
  })

  it('for a provider that the bundle does not have', async () => {
    const said = await scene.provision({ gpt: KEY })
    expect(said).toMatchObject({ code: 6, err: expect.stringContaining('request_malformed') as string })
    expect(said.err).not.toContain(KEY)
  })

  it('from a file that others may read', async () => {
    const { file, provision } = scene
    const open = file('open.json', JSON.stringify({ claude: KEY }))
    chmodSync(open, 0o644)
    const said = await provision({}, '--secrets', open)
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining('file_not_private') as string })
  })

  it.each<[string, string]>([
    ['no JSON', KEY],
    ['a list', JSON.stringify([KEY])],
    ['a key that is no text', JSON.stringify({ claude: { key: KEY } })],
    ['names and keys mixed up', JSON.stringify({ [`${KEY}!`]: 'claude' })],
  ])('from a file with %s, and the error quotes nothing', async (_, text) => {
    const { file, provision, stage } = scene
    const before = stage.host.seen.length
    const said = await provision({}, '--secrets', file('wrong.json', text))
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining('argument_invalid') as string })
    expect(said.err).not.toContain(KEY)
    expect(stage.host.seen.length).toBe(before)
  })
})
