import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { POLICY_DIRECTORY, temporaryDirectory } from './boot.js'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const CONFIG = {
  listen: { host: '127.0.0.1', port: 0 },
  proxy: null,
  advertise_url: null,
  store_directory: 'store',
  policy_directory: POLICY_DIRECTORY,
  image_digest: null,
}

function run(
  argv: readonly string[],
  environment: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const { PATH = '' } = process.env
  // The loader of the sources comes as an option: it is one of those that the confidential profile refuses.
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', MAIN, ...argv], {
    env: { PATH, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function finished(
  child: ChildProcessWithoutNullStreams,
): Promise<{ code: number | null; out: string; err: string }> {
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  await once(child, 'close')
  return { code: child.exitCode, out, err }
}

function configFile(changes: object = {}): string {
  const path = join(temporaryDirectory(), 'relay.json')
  writeFileSync(path, JSON.stringify({ ...CONFIG, ...changes }))
  return path
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a software relay runs until %s, and then ends with 0',
  async (signal) => {
    const child = run(['--profile', 'software', '--config', configFile()])
    const ended = finished(child)
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { event, url } = JSON.parse(line.toString().split('\n')[0] ?? '') as { event: string; url: string }
    expect(event).toBe('relay_started')
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ lane: 'software' })
    child.kill(signal)
    const { code, out, err } = await ended
    expect([code, err]).toEqual([0, ''])
    expect(out.trim().split('\n').at(-1)).toBe('{"event":"relay_stopped"}')
  },
)

test('help is printed, and is no failure', async () => {
  const { code, out } = await finished(run(['--help']))
  expect(code).toBe(0)
  expect(out).toMatch(/^parley-relay --profile/)
})

test('the embedded profile ends with 1 and says why on the standard error, in one line', async () => {
  const end = await finished(run(['--profile', 'embedded', '--config', 'x']))
  expect([end.code, end.out]).toEqual([1, ''])
  expect(end.err).toMatch(/^parley-relay: profile_refused: .+\n$/)
})

test('an unknown member of the configuration ends with 1', async () => {
  const end = await finished(run(['--profile', 'software', '--config', configFile({ verbose: true })]))
  expect(end.code).toBe(1)
  expect(end.err).toContain('config_malformed')
})

test('a confidential relay under a loader is environment_refused', async () => {
  const end = await finished(run(['--profile', 'confidential', '--config', configFile()]))
  expect(end.code).toBe(1)
  expect(end.err).toBe(
    'parley-relay: environment_refused: options of the process: --conditions, --import, tsx\n',
  )
})

test('a confidential relay behind a proxy variable is environment_refused', async () => {
  const end = await finished(
    run(['--profile', 'confidential', '--config', configFile()], { HTTPS_PROXY: 'http://canary' }),
  )
  expect(end.code).toBe(1)
  expect(end.err).toBe('parley-relay: environment_refused: set in the environment: HTTPS_PROXY\n')
})
