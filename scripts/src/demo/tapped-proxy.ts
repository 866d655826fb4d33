import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from './child.js'
import { CLEAN_ENVIRONMENT, inRepository } from './paths.js'
import { startTap } from './tap.js'

/** A host-proxy process of which nothing is hidden. */
export type TappedProxy = {
  /** Where participants reach it. */
  readonly url: string
  /** Where relays register. */
  readonly controlUrl: string
  /** Where it reaches the relay. */
  readonly relayUrl: string
  /** Says at which port the relay listens. */
  connectRelay(port: number): void
  /** Every byte of its sockets on all three sides, of its log file and of its output. */
  bytes(): Buffer
  /** The lines of its log: all that it says it saw. */
  log(): string[]
  stop(): Promise<void>
}

const LISTENING =
  /listening on http:\/\/127\.0\.0\.1:(\d+)\/?, replicas register at http:\/\/127\.0\.0\.1:(\d+)/

/** Starts `parley-proxy` with a tap before each of its sockets. */
export async function startTappedProxy(folder: string): Promise<TappedProxy> {
  const logFile = join(folder, 'host-proxy.log')
  const configFile = join(folder, 'host-proxy.json')
  const free = { host: '127.0.0.1', port: 0 }
  writeFileSync(configFile, JSON.stringify({ listen: free, control: free, log: logFile, limits: {} }))
  const command = [inRepository('host-proxy/bin/parley-proxy.js'), '--config', configFile]
  const child = startChild('host-proxy', command, CLEAN_ENVIRONMENT)
  const ports = await child.waitFor((line) => {
    const [, listen, control] = LISTENING.exec(line) ?? []
    return listen === undefined ? undefined : { listen: Number(listen), control: Number(control) }
  })
  let relayPort = 0
  const taps = [
    await startTap(() => ports.listen),
    await startTap(() => ports.control),
    await startTap(() => relayPort),
  ]
  const [url = '', controlUrl = '', relayUrl = ''] = taps.map(
    ({ port }) => `http://127.0.0.1:${String(port)}`,
  )
  return {
    url,
    controlUrl,
    relayUrl,
    connectRelay: (port) => (relayPort = port),
    bytes: () =>
      Buffer.concat([...taps.map((tap) => tap.bytes()), readFileSync(logFile), Buffer.from(child.output())]),
    log: () => readFileSync(logFile, 'utf8').trim().split('\n'),
    stop: async () => {
      for (const tap of taps) await tap.close()
      await child.stop()
    },
  }
}
