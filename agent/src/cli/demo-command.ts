import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AgentError } from '../agent-error.js'
import type { Io } from './io.js'

/** The options of `parley demo`. */
export type DemoOptions = {
  readonly contract: string
  readonly lane: string
  readonly json?: true
}

// The demo plays every room at once; it is a program of the source tree, which a participant's package does not hold.
const DEMO = fileURLToPath(new URL('../../../scripts/dist/demo/main.js', import.meta.url))

/** `parley demo`: plays one session of an offer on loopback, in a process of its own. @throws AgentError `argument_invalid` */
export const runDemo = async ({ contract, lane, json }: DemoOptions, io: Io): Promise<number> => {
  if (!existsSync(DEMO))
    throw new AgentError('argument_invalid', 'the demo comes with the source tree: make demo')
  const environment = {
    PATH: io.env['PATH'] ?? '',
    LANE: lane,
    CONTRACT: contract,
    ...(json ? { JSON: '1' } : {}),
  }
  const child = spawn(process.execPath, [DEMO], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.setEncoding('utf8').on('data', io.out)
  child.stderr.setEncoding('utf8').on('data', io.err)
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve(code ?? 1)
    })
  })
}
