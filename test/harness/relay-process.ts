import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock, type Trust } from '@parley/agent'
import { type Limits, loadPolicyBundle } from '@parley/enclave'
import { type Keyset, type Lane, parseCanonicalJson, parseEvidence } from '@parley/protocol'
import { demoPolicy } from '../../scripts/src/demo/policy.js'
import { atEnd } from './cleanup.js'
import { POLICY_DIRECTORY, SHORT } from './relay.js'

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A relay in a process of its own, which a test can end as a power cut would. */
export type RelayProcess = {
  readonly folder: string
  readonly url: string
  readonly pid: number
  readonly keyset: Keyset
  readonly trust: Trust
  /** What it wrote to standard output and error. */
  readonly output: () => string
  /** SIGKILL, and waits for the end. */
  readonly kill: () => Promise<void>
  /** SIGTERM, and waits for the end; its exit code. */
  readonly stop: () => Promise<number | null>
}

/** A folder for one relay: its policy with short limits, its configuration, its store. */
export const prepareRelay = (folder: string, limits: Partial<Limits> = {}): void => {
  const policy = join(folder, 'policy')
  cpSync(POLICY_DIRECTORY, policy, { recursive: true })
  const file = join(policy, 'limits.json')
  const shipped = JSON.parse(readFileSync(file, 'utf8')) as Limits
  writeFileSync(file, JSON.stringify({ ...shipped, ...SHORT, ...limits }))
  const config = {
    listen: { host: '127.0.0.1', port: 0 },
    proxy: null,
    advertise_url: null,
    store_directory: 'store',
    policy_directory: 'policy',
    image_digest: null,
  }
  writeFileSync(join(folder, 'relay.json'), JSON.stringify(config))
}

/** Starts the relay of a prepared folder: `parley-relay`, or the same relay on a simulated chip. */
export const startRelayProcess = async (lane: Lane, folder: string): Promise<RelayProcess> => {
  const config = join(folder, 'relay.json')
  const root = join(folder, 'simulated-root.der')
  const program =
    lane === 'software'
      ? [inRepository('enclave/src/main.ts'), '--profile', 'software', '--config', config]
      : [inRepository('scripts/src/demo/confidential-relay.ts'), config, root]
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', ...program], {
    cwd: inRepository('.'),
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const output = keepOutput(child)
  const url = await startedUrl(child, output)
  const { keyset } = await bootEvidence(url)
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    await ended
    return child.exitCode
  }
  return {
    folder,
    url,
    pid: child.pid ?? 0,
    keyset,
    trust: trustIn(folder, keyset, existsSync(root) && lane === 'confidential' ? [readFileSync(root)] : []),
    output,
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
  }
}

const keepOutput = ({ stdout, stderr }: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [stdout, stderr]) stream?.on('data', (part: Buffer) => (text += part.toString()))
  return () => text
}

const startedUrl = async (child: ChildProcess, output: () => string): Promise<string> => {
  for (;;) {
    const url = /"event":"relay_started".*"url":"([^"]+)"/.exec(output())?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the relay ended: ${output()}`)
    await systemClock.sleep(10)
  }
}

const bootEvidence = async (url: string) => {
  const response = await fetch(`${url}/evidence`)
  return parseEvidence(parseCanonicalJson(new Uint8Array(await response.arrayBuffer())))
}

const trustIn = (folder: string, keyset: Keyset, roots: readonly Uint8Array[]): Trust => {
  const { hash, profile } = loadPolicyBundle(join(folder, 'policy'), keyset.lane)
  const { version } = keyset.release
  const expected = { lane: keyset.lane, version, policyBundleHash: hash, profileHash: profile.hash }
  return { policy: demoPolicy({ ...expected, receiptKey: keyset.receipt_key }), roots }
}
