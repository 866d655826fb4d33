import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../src/run.js'

const play = async (argv: readonly string[], stop = new AbortController()) => {
  const said = { out: '', err: '' }
  const status = await run(argv, {
    out: (text) => void (said.out += text),
    err: (text) => {
      said.err += text
      if (text.includes('listening')) stop.abort()
    },
    stop: stop.signal,
  })
  return { status, ...said }
}

const configFile = async (config: unknown): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), 'proxy-run-')), 'config.json')
  await writeFile(path, JSON.stringify(config))
  return path
}

test('help names the option and the limits', async () => {
  const { status, out } = await play(['--help'])
  expect(status).toBe(0)
  expect(out).toMatch(/--config FILE[\s\S]*max_connections/)
})

test.each([
  ['no option', [], /--config FILE is missing/],
  ['an unknown option', ['--configuration', 'x'], /Unknown option/],
  ['a file that is not there', ['--config', '/nonexistent'], /ENOENT/],
])('%s is a usage error', async (_, argv, message) => {
  const { status, err } = await play(argv)
  expect(status).toBe(1)
  expect(err).toMatch(message)
})

test('a configuration that is refused starts nothing', async () => {
  const { status, err } = await play(['--config', await configFile({})])
  expect(status).toBe(1)
  expect(err).toMatch(/no member listen/)
})

test('the command runs until it is stopped', async () => {
  const address = { host: '127.0.0.1', port: 0 }
  const path = await configFile({ listen: address, control: address, log: null, limits: {} })
  const { status, err } = await play(['--config', path])
  expect(status).toBe(0)
  expect(err).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+, replicas register at http/)
})
