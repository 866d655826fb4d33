import { mkdtempSync, readdirSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { completeCollateral, judgeGenuine, kdsPath, parseReport, vcekItemOf } from '../../../src/index.js'
import { askKds, collateralCache, type KdsOptions } from '../../../src/node/index.js'
import { type Machine, machine, NOW } from '../../collateral/simulated-kds.js'
import { type KdsAnswer, type KdsServer, serveKds } from './kds-server.js'

let turin: Machine
beforeAll(async () => {
  turin = await machine('Turin')
})

const servers: KdsServer[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const server of servers.splice(0)) await server.close()
})

const timer = { now: () => 0, wait: () => Promise.resolve() }
const cacheDirectory = (): string => join(mkdtempSync(join(tmpdir(), 'parley-cache-')), 'cache')

/** KDS with this chip, which answers a request for its VCEK so before it answers properly. */
const serve = async (first: KdsAnswer[] = []) => {
  const { report, leaf, chainPem, crl } = turin
  const vcek = kdsPath(vcekItemOf(parseReport(report), 'Turin'))
  const server = await serveKds({
    '/vcek/v1/Turin/cert_chain': [chainPem],
    [vcek]: [...first, leaf],
    '/vcek/v1/Turin/crl': [crl()],
  })
  servers.push(server)
  return server
}

const complete = (directory: string, kds: Partial<KdsOptions> | null) =>
  completeCollateral(
    { report: turin.report, certificates: [], crls: [] },
    {
      now: NOW,
      roots: turin.roots,
      cache: collateralCache(directory),
      kds: kds === null ? null : askKds({ nowMs: NOW, timer, ...kds }),
    },
  )

const sources = ({ items }: Awaited<ReturnType<typeof complete>>): (string | null)[] =>
  items.map(({ source, code }) => source ?? code)

describe('collateral from a service and a directory', () => {
  it('is fetched once, and then had from the directory without a socket', async () => {
    const server = await serve()
    const directory = cacheDirectory()
    const fetched = await complete(directory, { url: server.url })
    expect(sources(fetched)).toEqual(['kds', 'kds', 'kds'])
    expect(server.asked).toHaveLength(3)
    const genuine = await judgeGenuine({
      report: turin.report,
      certificates: fetched.certificates,
      now: NOW,
      roots: turin.roots,
    })
    expect(genuine.genuine).toBe(true)
    expect(sources(await complete(directory, { url: server.url }))).toEqual(['cache', 'cache', 'cache'])
    expect(server.asked).toHaveLength(3)
  })

  it('comes through a service in a bad mood', async () => {
    const server = await serve([{ status: 429, retryAfter: '1' }, { status: 500 }, 'reset'])
    expect((await complete(cacheDirectory(), { url: server.url })).complete).toBe(true)
  })

  it('is not kept where it is another chip’s', async () => {
    const directory = cacheDirectory()
    const server = await serve([turin.leafFor({ hwID: new Uint8Array(8).fill(3) })])
    expect(sources(await complete(directory, { url: server.url }))).toEqual([
      'kds',
      'collateral_unexpected',
      'kds',
    ])
    expect(readdirSync(directory).sort()).toEqual(['vcek-Turin-chain.pem', 'vcek-Turin.crl'])
    expect(sources(await complete(directory, { url: server.url }))).toEqual(['cache', 'kds', 'cache'])
  })
})

describe('offline', () => {
  const forbidNetwork = () => {
    const forbidden = (): never => {
      throw new Error('a socket was asked for')
    }
    return [
      vi.spyOn(Socket.prototype, 'connect').mockImplementation(forbidden),
      vi.spyOn(globalThis, 'fetch').mockImplementation(forbidden),
    ]
  }

  it('no socket is opened, whether all is there or nothing', async () => {
    const directory = cacheDirectory()
    await complete(directory, { url: (await serve()).url })
    const network = forbidNetwork()
    expect(sources(await complete(directory, null))).toEqual(['cache', 'cache', 'cache'])
    expect(sources(await complete(cacheDirectory(), null))[0]).toBe('collateral_missing')
    for (const door of network) expect(door).not.toHaveBeenCalled()
  })

  it('the watch over the network sees a socket that is opened', async () => {
    const { url } = await serve()
    const [, fetching] = forbidNetwork()
    expect(sources(await complete(cacheDirectory(), { url }))[0]).toBe('collateral_unavailable')
    expect(fetching).toHaveBeenCalled()
  })
})
