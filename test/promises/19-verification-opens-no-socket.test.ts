import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalBytes, type JsonValue } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../harness/cleanup.js'
import { NETWORK, withoutNetwork } from '../harness/no-network.js'
import { built, type Ended, inRepository, runProgram } from '../harness/program.js'
import { realBundle } from '../harness/real-bundle.js'
import { LANES } from '../harness/relay.js'
import { filesIn } from '../harness/search.js'

const denied = (args: readonly string[]): Promise<Ended> => runProgram([...withoutNetwork(), ...args])

describe.each(LANES)('the built verifier over a session of the %s lane, without a network,', (lane) => {
  let folder: string
  const file = (name: string): string => join(folder, name)
  const write = (name: string, value: JsonValue): void => {
    writeFileSync(file(name), canonicalBytes(value))
  }
  beforeAll(async () => {
    folder = freshFolder()
    const { bundle, trust } = await realBundle(lane)
    write('bundle.parley.json', bundle)
    write('evidence.json', bundle.evidence)
    write('receipt.json', bundle.receipt)
    write('policy.json', trust.policy)
    const transcript = { ...bundle.transcript, output_commitment: 'a'.repeat(64) }
    write('spoilt.parley.json', { ...bundle, transcript })
    writeFileSync(file('receipt.key'), bundle.evidence.keyset.receipt_key)
    for (const root of trust.roots) writeFileSync(file('root.der'), root)
  })

  const judging = (): string[] => [
    '--policy',
    file('policy.json'),
    ...(lane === 'confidential' ? ['--root', file('root.der')] : []),
  ]

  type Command = readonly [what: string, code: number, program: string, args: () => readonly string[]]
  const commands: readonly Command[] = [
    [
      'bundle',
      0,
      'verifier/bin/parley-verify.js',
      () => ['bundle', file('bundle.parley.json'), ...judging()],
    ],
    [
      'bundle that is spoilt',
      4,
      'verifier/bin/parley-verify.js',
      () => ['bundle', file('spoilt.parley.json'), ...judging()],
    ],
    ['evidence', 0, 'verifier/bin/parley-verify.js', () => ['evidence', file('evidence.json'), ...judging()]],
    [
      'receipt',
      0,
      'verifier/bin/parley-verify.js',
      () => ['receipt', file('receipt.json'), '--key', file('receipt.key')],
    ],
    ['inspection', 2, 'verifier/bin/parley-verify.js', () => ['inspect', file('evidence.json')]],
    [
      'bundle of a participant',
      0,
      'agent/bin/parley.js',
      () => ['verify', file('bundle.parley.json'), ...judging()],
    ],
  ]

  it.each(commands)('judges a %s as ever, with exit %i', async (_, expected, program, args) => {
    const { code, out, err } = await denied([built(program), ...args()])
    expect([code, err]).toEqual([expected, ''])
    expect(out).not.toBe('')
  })

  it('judges a bundle as a library', async () => {
    const script = `
      import { readFileSync } from 'node:fs'
      import { parseVerifierPolicy, verifyBundle } from '@parley/verifier'
      const [bundle, policy, root] = process.argv.slice(1)
      const verdict = await verifyBundle({
        bytes: readFileSync(bundle),
        policy: parseVerifierPolicy(JSON.parse(readFileSync(policy, 'utf8'))),
        roots: root === undefined ? [] : [{ certificate: readFileSync(root), simulated: true }],
        now: Date.now(),
      })
      console.log(verdict.trusted)
    `
    const roots = lane === 'confidential' ? [file('root.der')] : []
    const { code, out, err } = await denied([
      '--input-type=module',
      '--eval',
      script,
      file('bundle.parley.json'),
      file('policy.json'),
      ...roots,
    ])
    expect([code, out, err]).toEqual([0, 'true\n', ''])
  })
})

describe('a program that is denied the network', () => {
  const reaching: readonly (readonly [string, string])[] = [
    ['fetch', 'await fetch("http://127.0.0.1:1")'],
    ['net.connect', '(await import("node:net")).connect(1, "127.0.0.1")'],
    ['a socket of its own', 'new (await import("node:net")).Socket().connect(1, "127.0.0.1")'],
    ['https', '(await import("node:https")).get("https://127.0.0.1:1")'],
    ['a name', '(await import("node:dns")).lookup("localhost", () => {})'],
    ['a name, by promise', 'await (await import("node:dns/promises")).lookup("localhost")'],
    ['a resolver of its own', 'new (await import("node:dns")).Resolver().resolve("localhost", () => {})'],
    ['a datagram', '(await import("node:dgram")).createSocket("udp4")'],
    ['a server', '(await import("node:http")).createServer().listen(0)'],
    ['another program', '(await import("node:child_process")).spawnSync("true")'],
  ]
  it.each(reaching)('is found out when it reaches for %s: the control', async (_, script) => {
    const { err } = await denied(['--input-type=module', '--eval', script])
    expect(err).toContain(NETWORK)
  })

  it('is left alone when it does not', async () => {
    const { code, out, err } = await denied(['--input-type=module', '--eval', 'console.log(1)'])
    expect([code, out, err]).toEqual([0, '1\n', ''])
  })
})

describe('what a verifier is built of', () => {
  const NETWORKED =
    /^(?:node:)?(?:net|tls|http|https|http2|dns|dns\/promises|dgram|inspector|child_process|cluster|worker_threads)$|^undici$/
  const importsOf = (path: string): string[] =>
    [...readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
      ([, name]) => name ?? '',
    )

  it('imports no way to a network in any of its rooms', () => {
    const programs = ['verifier', 'attestation', 'guardian', 'protocol'].flatMap((room) =>
      filesIn(inRepository(`${room}/dist`)).filter((path) => path.endsWith('.js')),
    )
    expect(programs.length).toBeGreaterThan(150)
    const networked = programs.filter((path) => importsOf(path).some((name) => NETWORKED.test(name)))
    expect(networked).toEqual([])
    // The relay does, so that the search finds what is there.
    const relay = filesIn(inRepository('enclave/dist')).filter((path) => path.endsWith('.js'))
    expect(relay.some((path) => importsOf(path).some((name) => NETWORKED.test(name)))).toBe(true)
  })
})
