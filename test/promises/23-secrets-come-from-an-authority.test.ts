import { generateIdentity, type Identity, provisionRelay, systemClock } from '@parley/agent'
import { jsonLog, type PolicyBundle, startRelay, systemClock as relayClock } from '@parley/enclave'
import type { Lane } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { atEnd, freshFolder } from '../harness/cleanup.js'
import { codeOf } from '../harness/failure.js'
import { at, honest, type Passing } from '../harness/hostile-proxy.js'
import { startLocalModel } from '../harness/local-model.js'
import { theProcessor } from '../harness/processor.js'
import { fresh, openRelay, relayConfig, testBundle } from '../harness/relay.js'
import { bytesIn } from '../harness/search.js'
import { type Stage, stageBefore } from '../harness/stage.js'
import { trustOf } from '../harness/trust.js'

const KEY = 'sk-the-key-that-the-operator-pays-for'
const AUTHORITY = generateIdentity()

/** The shipped policy with a provider that takes a key, and one who may bring it. */
const keyedBundle = async (lane: Lane): Promise<PolicyBundle> => {
  const { providers } = await startLocalModel(() => '')
  return {
    ...testBundle(lane),
    providers: providers.map((each) => ({ ...each, api_key: 'required' })),
    authorities: [AUTHORITY.did],
  }
}

/** A relay with a provider that takes a key, and a host before it. */
const openKeyed = async (lane: Lane, store = freshFolder()) => {
  const { collector } = await theProcessor()
  const lines: string[] = []
  const relay = await startRelay({
    config: relayConfig(lane, store),
    bundle: await keyedBundle(lane),
    collector: lane === 'confidential' ? collector : null,
    environment: { PATH: '/bin' },
    clock: relayClock(),
    random: fresh,
    log: jsonLog((line) => lines.push(line)),
  })
  atEnd(() => relay.close())
  const stage = await stageBefore({ url: relay.url, trust: await trustOf(relay.keyset) })
  const missing = async (): Promise<unknown> => {
    const health = (await (await fetch(`${relay.url}/health`)).json()) as { missing_secrets: unknown }
    return health.missing_secrets
  }
  return { relay, stage, store, lines, missing }
}

const provision = async (stage: Stage, keys: Record<string, string>, identity: Identity = AUTHORITY) =>
  provisionRelay({ identity, relay: await stage.attest(stage.buyer), clock: systemClock }, keys)

describe('a confidential relay’s secret', () => {
  it('is taken from an authority of its bundle: the control', async () => {
    const { stage, missing } = await openKeyed('confidential')
    expect(await missing()).toEqual(['tiny'])
    expect(await provision(stage, { tiny: KEY })).toEqual({ held: ['tiny'], missing: [] })
    expect(await missing()).toEqual([])
  })

  it('is taken from nobody else', async () => {
    const { stage, missing } = await openKeyed('confidential')
    expect(await codeOf(provision(stage, { tiny: KEY }, generateIdentity()))).toBe('role_refused')
    expect(await missing()).toEqual(['tiny'])
  })

  it('is not sealed to a keyset that was not appraised', async () => {
    const { stage } = await openKeyed('confidential')
    const other = await openRelay('software')
    stage.host.meddle = at('/evidence', (request, pass) => pass(request, other.url))
    expect(await codeOf(provision(stage, { tiny: KEY }))).toBe('relay_not_trusted')
    expect(stage.host.sealed()).toBe(0)
  })

  it('is given to no relay of the software lane', async () => {
    const { stage } = await openKeyed('software')
    expect(await codeOf(provision(stage, { tiny: KEY }))).toBe('relay_not_trusted')
    expect(stage.host.sealed()).toBe(0)
  })

  it('is in memory alone: in no byte that passes, no log, no disk, and gone with the relay', async () => {
    const { relay, stage, store, lines } = await openKeyed('confidential')
    await provision(stage, { tiny: KEY })
    const passed = stage.host.seen.flatMap(({ request, answer }) => [
      request.body,
      answer?.body ?? Buffer.of(),
    ])
    const seen = Buffer.concat([...passed, bytesIn(store), Buffer.from(lines.join('\n'))])
    expect(seen.includes(relay.keysetDigest)).toBe(true)
    expect(seen.includes(KEY)).toBe(false)
    await relay.close()
    expect(await (await openKeyed('confidential', store)).missing()).toEqual(['tiny'])
  })

  it('that was taken back is brought back by no replay and no delay', async () => {
    const { stage, missing } = await openKeyed('confidential')
    const kept: Passing[] = []
    await provision(stage, { tiny: KEY })
    kept.push(...stage.host.seen.slice(-1).map(({ request }) => request))
    stage.host.meddle = at('/ohttp', (request) => {
      kept.push(request)
      return Promise.resolve(null)
    })
    expect(await codeOf(provision(stage, { tiny: `${KEY}-2` }))).toBe('relay_unreachable')
    stage.host.meddle = honest
    expect(await provision(stage, {})).toEqual({ held: [], missing: ['tiny'] })
    expect(kept.map(({ path }) => path)).toEqual(['/ohttp', '/ohttp'])
    for (const old of kept) await stage.host.pass(old)
    expect(await missing()).toEqual(['tiny'])
  })
})
