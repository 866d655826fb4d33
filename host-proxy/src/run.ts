import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parseConfig } from './config.js'
import { DEFAULT_LIMITS } from './limits.js'
import { openLog } from './log.js'
import { startProxy } from './proxy.js'

/** What the command writes to, and what ends it. */
export type ProxyIo = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly stop: AbortSignal
}

const HELP = `parley-proxy --config FILE

Forwards sealed requests between participants and relays. It holds no key and logs what it saw:
route, key id, size classes, tick, status.

FILE holds {"listen": {"host", "port"}, "control": {"host", "port"}, "log": PATH or null, "limits": {},
"egress": [{"host", "port"}, …]}. Relays reach the hosts of egress, and no other, by CONNECT on the control listener;
their TLS ends in the relay. Without egress there is no tunnel.
Only relays may reach the control listener: it authenticates nobody, and whoever registers there gets requests.
They stay sealed, but can be kept from the relay. Bind it to loopback or to a network of the relays alone.
Limits and their defaults: ${JSON.stringify(DEFAULT_LIMITS, null, 2)}
`

/** Runs the command until the signal is aborted; the exit status. */
export const run = async (argv: readonly string[], io: ProxyIo): Promise<number> => {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { config: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help === true) io.out(HELP)
    else if (values.config === undefined) throw new Error('--config FILE is missing')
    else await serve(values.config, io)
    return 0
  } catch (error) {
    io.err(`parley-proxy: ${error instanceof Error ? error.message : 'failed'}\n`)
    return 1
  }
}

const serve = async (path: string, io: ProxyIo): Promise<void> => {
  const config = parseConfig(await readFile(path, 'utf8'))
  const { log, close } = openLog(config.log)
  const proxy = await startProxy(config, { log })
  io.err(`parley-proxy: listening on ${proxy.url}, replicas register at ${proxy.controlUrl}\n`)
  await aborted(io.stop)
  await proxy.stop()
  await close()
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => {
      resolve()
    })
  })
