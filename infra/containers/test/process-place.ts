import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../../../scripts/src/demo/child.js'
import { CLEAN_ENVIRONMENT, inRepository } from '../../../scripts/src/demo/paths.js'
import type { Party, Place } from './place.js'

const LISTENING =
  /listening on (http:\/\/127\.0\.0\.1:\d+)\/?, replicas register at (http:\/\/127\.0\.0\.1:\d+)/
const FREE = { host: '127.0.0.1', port: 0 }

/** The same scenario on processes of this machine, which all reach each other. */
export const openProcessPlace = async (): Promise<Place> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-containers-'))
  const file = (name: string, value: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  const start = (name: string, program: string, ...args: readonly string[]) =>
    startChild(name, [inRepository(program), ...args], CLEAN_ENVIRONMENT)
  const config = { listen: FREE, control: FREE, log: null, limits: {} }
  const proxy = start('host-proxy', 'host-proxy/bin/parley-proxy.js', '--config', file('proxy.json', config))
  const [proxyUrl, control] = await proxy.waitFor(urlsIn)
  const relay = start(
    'relay',
    'enclave/bin/parley-relay.js',
    '--profile',
    'software',
    '--config',
    relayConfig(),
  )
  await relay.waitFor((line) => (line.includes('"relay_started"') ? true : undefined))
  return {
    proxyUrl,
    buyer: partyIn(join(folder, 'buyer')),
    seller: partyIn(join(folder, 'seller')),
    stop: async () => {
      await relay.stop()
      await proxy.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  function relayConfig(): string {
    return file('relay.json', {
      ...{ listen: FREE, proxy: control, advertise_url: null, image_digest: null },
      ...{ store_directory: join(folder, 'store'), policy_directory: inRepository('infra/policy') },
    })
  }
}

const urlsIn = (line: string): readonly [string, string] | undefined => {
  const [, listen, control] = LISTENING.exec(line) ?? []
  return listen === undefined || control === undefined ? undefined : [listen, control]
}

const partyIn = (folder: string): Party => {
  mkdirSync(folder)
  const run = async (args: readonly string[]) => {
    const child = startChild('party', args, { ...CLEAN_ENVIRONMENT, PARLEY_HOME: join(folder, 'home') })
    const code = await child.ended()
    return { code: code ?? 1, out: child.output(), err: '' }
  }
  return {
    parley: (...args) => run([inRepository('agent/bin/parley.js'), ...args]),
    node: (script, ...args) => run(['-e', script, ...args]),
    at: (name) => join(folder, name),
  }
}
