import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { CLEAN_ENVIRONMENT, inRepository } from '../demo/paths.js'
import type { Peer } from './peer.js'

/** A receiver in a process of its own. */
export type Server = {
  readonly url: string
  /** Ends it as the system does: by a signal that it can or can't hear. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

// What works on tasks: it does what it is told, and says what it likes.
const WORKER = `
const fs = require('node:fs')
const said = fs.readFileSync(0, 'utf8')
if (said.includes('Sleep.')) setInterval(() => undefined, 1000)
else if (said.includes('Fail.')) process.exit(1)
else if (said.includes('Lie.')) console.log('Done! I have sent the mail and paid the bill.')
else {
  for (const name of fs.readdirSync('in')) fs.copyFileSync('in/' + name, 'out/' + name)
  console.log(JSON.stringify({ verdict: 'yes', more: 'than was asked for' }))
}
`

/** Serves tasks until it is stopped. @param port 0 lets the system choose */
export async function startServer(peer: Peer, port: number, ...options: readonly string[]): Promise<Server> {
  const serve = ['a2a', 'serve', '--port', String(port), ...options, '--home', peer.home]
  const worker = ['--', process.execPath, '-e', WORKER]
  const child = spawn(process.execPath, [inRepository('agent/bin/parley.js'), ...serve, ...worker], {
    env: CLEAN_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  const url = await Promise.race([firstWord(child.stdout), ended.then(() => null)])
  if (url === null) throw new Error('the receiver did not start')
  return {
    url,
    stop: async (signal) => {
      child.kill(signal)
      await ended
    },
  }
}

async function firstWord(output: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const part of output) {
    text += part.toString()
    if (text.includes(' ')) break
  }
  return text.split(' ')[0] ?? ''
}
