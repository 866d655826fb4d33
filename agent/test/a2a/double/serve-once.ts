import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { systemReceiverClock } from '../../../src/a2a/receiver-clock.js'
import { bodyOf, type Pair, postRaw, taskOf } from './peers.js'

const PROGRAM = fileURLToPath(new URL('./serve-until-killed.ts', import.meta.url))

/** Serves one task in a process that is killed at the moment, and gives back what the sender got. */
export const serveOnce = async (pair: Pair, moment: string, body: Uint8Array): Promise<string> => {
  const { home } = pair.receiver
  const argv = ['--conditions=source', '--import', 'tsx', PROGRAM, home, moment, join(home, 'effect')]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const raw = await postRaw(line.toString().trim(), body)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  return raw
}

/** The tasks that the worker did. */
export const effectsOf = async ({ receiver }: Pair): Promise<readonly string[]> => {
  const text = await readFile(join(receiver.home, 'effect'), 'utf8').catch(() => '')
  return text.split('\n').slice(0, -1)
}

/** A task of now, with a life that a process may take its time to start in. */
export const asked = (pair: Pair): Uint8Array =>
  bodyOf(taskOf(pair, { issued_at: Math.floor(systemReceiverClock.nowMs() / 1000), ttl_s: 300 }))
