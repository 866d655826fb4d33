import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
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

/** What the loader of native code takes for the store's: here a folder with a program that speaks as it is loaded. */
function spokenPrebuild(): string {
  const directory = temporaryDirectory()
  const addon = join(directory, 'build', 'Release', 'marker.node')
  mkdirSync(addon, { recursive: true })
  writeFileSync(join(addon, 'index.js'), "process.stderr.write('code of the host\\n')")
  return directory
}

test.each<[string, 'software' | 'confidential', boolean]>([
  ['runs in a software relay, which promises nothing of the kind', 'software', true],
  ['never runs in a confidential relay, not even before it is refused', 'confidential', false],
])('code that LMDB_PREBUILD names %s', async (_, profile, runs) => {
  const environment = { LMDB_PREBUILD: spokenPrebuild() }
  const { code, err } = await finished(run(['--profile', profile, '--config', configFile()], environment))
  expect([code, err.includes('code of the host')]).toEqual([1, runs])
  if (!runs) expect(err).toBe('parley-relay: environment_refused: set in the environment: LMDB_PREBUILD\n')
})

test('a program that starts a confidential relay itself loads no code that LMDB_PREBUILD names either', async () => {
  const script = `
    const { startRelay } = await import('@parley/enclave')
    const config = { profile: 'confidential' }
    await startRelay({ config, collector: {}, environment: process.env }).catch(({ code }) => console.log(code))`
  const options = ['--conditions=source', '--import', 'tsx', '--input-type=module', '--eval', script]
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, options, { env: { PATH, LMDB_PREBUILD: spokenPrebuild() } })
  expect(await finished(child)).toEqual({ code: 0, out: 'environment_refused\n', err: '' })
})
