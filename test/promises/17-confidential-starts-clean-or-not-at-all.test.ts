import { createServer } from 'node:http'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import type { Collector } from '@parley/attestation'
import { jsonLog, type RelayConfig, type RelayOptions, startRelay, systemClock } from '@parley/enclave'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../harness/cleanup.js'
import { codeOf } from '../harness/failure.js'
import { theProcessor } from '../harness/processor.js'
import { built, type Ended, inRepository, runProgram } from '../harness/program.js'
import { fresh, relayConfig, testBundle } from '../harness/relay.js'
import type { SimulatedProcessor } from '../../scripts/src/processor/index.js'
import { filesIn } from '../harness/search.js'

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => {
      resolve(false)
    })
  })

describe('the confidential profile', () => {
  let chip: SimulatedProcessor
  beforeAll(async () => {
    chip = await theProcessor()
  })

  type Start = {
    readonly code: string
    readonly serves: boolean
    readonly lines: readonly string[]
    readonly stored: string[]
  }

  /** Tries to start a relay at a port of its own, and looks at what is left of it. */
  const start = async (changes: Partial<RelayOptions>): Promise<Start> => {
    const store = join(freshFolder(), 'store')
    const port = await freePort()
    const lines: string[] = []
    const config: RelayConfig = { ...relayConfig('confidential', store), listen: { host: '127.0.0.1', port } }
    const started = startRelay({
      config,
      bundle: testBundle('confidential'),
      collector: chip.collector,
      environment: { PATH: '/bin' },
      clock: systemClock(),
      random: fresh,
      log: jsonLog((line) => lines.push(line)),
      ...changes,
    })
    const code = await codeOf(started)
    const serves = await takesConnections(port)
    if (code === 'nothing failed') await (await started).close()
    return { code, serves, lines, stored: existsSync(store) ? filesIn(store) : [] }
  }
  const collecting = (collect: Collector['collect']): Partial<RelayOptions> => ({
    collector: { platform: 'sev-snp', collect },
  })

  it('starts on real reports in a clean environment: the control', async () => {
    const { code, serves, lines } = await start({})
    expect([code, serves]).toEqual(['nothing failed', true])
    expect(lines[0]).toContain('"event":"relay_started"')
  })

  type Broken = readonly [what: string, code: string, changes: () => Partial<RelayOptions>]
  const broken: readonly Broken[] = [
    ['no secure processor', 'collector_required', () => ({ collector: null })],
    ['one that fails', 'report_failed', () => collecting(() => Promise.reject(new Error('no')))],
    [
      'a report that is none',
      'report_failed',
      () =>
        collecting(() =>
          Promise.resolve({ report: new Uint8Array(1184), certificates: chip.certificates, table: [] }),
        ),
    ],
    [
      'a report over other data than it asked for',
      'report_data_mismatch',
      () =>
        collecting(() =>
          Promise.resolve({ report: chip.attest({}), certificates: chip.certificates, table: [] }),
        ),
    ],
    [
      'a report without its certificates',
      'collateral_missing',
      () =>
        collecting((reportData) =>
          Promise.resolve({ report: chip.attest({ reportData }), certificates: [], table: [] }),
        ),
    ],
    [
      'the certificates of a chain without its root',
      'collateral_missing',
      () =>
        collecting((reportData) =>
          Promise.resolve({
            report: chip.attest({ reportData }),
            certificates: chip.certificates.slice(0, 2),
            table: [],
          }),
        ),
    ],
    ['the policy of the software profile', 'profile_refused', () => ({ bundle: testBundle('software') })],
  ]

  it.each(broken)(
    'with %s ends as %s: it serves nothing, stores nothing, is no other profile',
    async (_, code, changes) => {
      const ended = await start(changes())
      expect(ended).toMatchObject({ code, serves: false, stored: [] })
      expect(ended.lines.filter((line) => line.includes('started'))).toEqual([])
    },
  )

  const POLLUTED = [
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_EXTRA_CA_CERTS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'OPENSSL_CONF',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'ANTHROPIC_BASE_URL',
    'OPENAI_BASE_URL',
  ]

  it.each(POLLUTED)(
    'with %s set is environment_refused, in either case and even if it is empty',
    async (name) => {
      for (const spelt of [name, name.toLowerCase()])
        for (const value of ['http://127.0.0.1:1', '']) {
          const ended = await start({ environment: { PATH: '/bin', [spelt]: value } })
          expect(ended).toMatchObject({ code: 'environment_refused', serves: false, stored: [], lines: [] })
        }
    },
  )

  it('does not mind what steers nobody', async () => {
    const environment = { PATH: '/bin', LANG: 'C.UTF-8', HOME: '/root', TZ: 'UTC' }
    expect((await start({ environment })).code).toBe('nothing failed')
  })
})

describe('the program parley-relay, as it is built,', () => {
  const run = async (
    environment: Record<string, string> = {},
    options: readonly string[] = [],
  ): Promise<Ended & { readonly stored: boolean; readonly serves: boolean }> => {
    const folder = freshFolder()
    const port = await freePort()
    const config = {
      listen: { host: '127.0.0.1', port },
      proxy: null,
      advertise_url: null,
      store_directory: 'store',
      policy_directory: inRepository('infra/policy'),
      image_digest: null,
    }
    writeFileSync(join(folder, 'relay.json'), JSON.stringify(config))
    const program = [
      built('enclave/bin/parley-relay.js'),
      '--profile',
      'confidential',
      '--config',
      join(folder, 'relay.json'),
    ]
    const ended = await runProgram([...options, ...program], environment)
    return { ...ended, stored: existsSync(join(folder, 'store')), serves: await takesConnections(port) }
  }

  // A machine with a secure processor would start, and serve until the time is up.
  if (!existsSync('/dev/sev-guest'))
    it('ends with 1 and the reason where there is no secure processor', async () => {
      const { code, out, err, stored, serves } = await run()
      expect([code, out, stored, serves]).toEqual([1, '', false, false])
      expect(err).toMatch(/^parley-relay: provider_missing: [^\n]+\n$/)
    })

  it.each([
    ['NODE_OPTIONS', '--no-warnings'],
    ['NODE_EXTRA_CA_CERTS', '/dev/null'],
    ['https_proxy', 'http://127.0.0.1:1'],
    ['OPENAI_BASE_URL', 'http://127.0.0.1:1'],
    ['LD_LIBRARY_PATH', ''],
  ])('ends with 1 where %s is set, and does not say to what', async (name, value) => {
    const { code, out, err, stored, serves } = await run({ [name]: value })
    expect([code, out, stored, serves]).toEqual([1, '', false, false])
    expect(err).toBe(`parley-relay: environment_refused: set in the environment: ${name}\n`)
  })

  it.each([['--inspect=127.0.0.1:0'], ['--import=data:text/javascript,'], ['--expose-gc']])(
    'ends with 1 under %s',
    async (option) => {
      const { code, out, err, serves } = await run({}, [option])
      expect([code, out, serves]).toEqual([1, '', false])
      expect(err).toContain('parley-relay: environment_refused: options of the process: ')
    },
  )
})

describe('the built output', () => {
  // All that is shipped: programs, types, maps; not the compiler's own notes.
  const built = (room: string): string[] =>
    filesIn(inRepository(`${room}/dist`)).filter((path) => /\.(?:js|ts|map)$/.test(path))
  const text = (path: string): string => readFileSync(path, 'utf8')
  const NAMED = /simulat|emulat|fake|mock/i

  it('of the enclave names no simulator at all, in no file of any kind', () => {
    expect(built('enclave').length).toBeGreaterThan(100)
    expect(built('enclave').filter((path) => NAMED.test(path + text(path)))).toEqual([])
  })

  // A verifier must be able to say that a chain was simulated. It must not be able to make one.
  // AgentVault's receipts have a value for one.
  const WORDS = /'Simulated'|SIMULATED|\bsimulated(?:_without_leave)?\b|accept_simulated|\bsimulations?\b/g

  it.each(['verifier', 'attestation', 'guardian', 'protocol', 'host-proxy', 'agent'])(
    'of %s names no file, module, option or variable of a simulator',
    (room) => {
      const programs = built(room).filter((path) => path.endsWith('.js'))
      expect(programs.length).toBeGreaterThan(5)
      expect(built(room).filter((path) => NAMED.test(path.slice(inRepository('').length)))).toEqual([])
      for (const path of programs) {
        const imports = [...text(path).matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(
          ([, name]) => name,
        )
        expect([path, imports.filter((name) => /simulat|scripts/i.test(name ?? ''))]).toEqual([path, []])
        expect([path, NAMED.exec(text(path).replaceAll(WORDS, ''))]).toEqual([path, null])
      }
    },
  )

  it('of the scripts does, so that the search finds what is there', () => {
    expect(built('scripts').some((path) => NAMED.test(text(path)))).toBe(true)
    expect(readdirSync(inRepository('scripts/dist/processor')).some((name) => NAMED.test(name))).toBe(true)
  })
})
