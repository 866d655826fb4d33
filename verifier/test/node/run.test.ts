import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseCertificate } from '@parley/attestation'
import { canonicalBytes, fromBase64url, type JsonValue, toBase64url } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/node/index.js'
import { KEYS, keysetOf, mintBundle, mintEvidence, NOW, policyFor, toBytes } from '../minted-bundle.js'
import { simulateRelay, type SimulatedRelay } from '../simulated-relay.js'
import { without } from '../without.js'

const folder = mkdtempSync(join(tmpdir(), 'parley-verify-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const file = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
const jsonFile = (name: string, value: JsonValue): string => file(name, JSON.stringify(value))

const cli = async (...argv: readonly string[]) => {
  const printed = { out: '', err: '' }
  const code = await run(argv, {
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
    now: NOW,
  })
  return { code, ...printed }
}

let relay: SimulatedRelay
let root: string
let policy: string
beforeAll(async () => {
  relay = await simulateRelay()
  root = file('root.der', relay.processor.rootCertificate)
  policy = jsonFile('policy.json', relay.policy)
})

describe('parley-verify bundle', () => {
  let bundle: string
  beforeAll(async () => {
    bundle = file('honest.parley.json', toBytes(await relay.mint()))
  })

  it('exits 0 with a verdict that says SIMULATED', async () => {
    const { code, out } = await cli('bundle', bundle, '--policy', policy, '--root', root)
    expect(code).toBe(0)
    expect(out).toMatch(/^TRUSTED SIMULATED, TEE_ATTESTED, confidential lane, COMPLETED\n/)
  })

  it('prints one JSON document with --json', async () => {
    const { code, out } = await cli('bundle', bundle, '--policy', policy, '--root', root, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      trusted: true,
      simulated: true,
      exit_code: 0,
      assurance_level: 'TEE_ATTESTED',
      lane: 'confidential',
      output: { overlap: 'YES' },
      waivers: [],
    })
    expect(Object.keys(JSON.parse(out) as object).sort()).toEqual([
      'anys',
      'assurance_level',
      'checks',
      'claims',
      'exit_code',
      'hardware',
      'lane',
      'outcome',
      'output',
      'procedure',
      'session_id',
      'simulated',
      'trusted',
      'waivers',
    ])
  })

  it('takes the root as PEM as well', async () => {
    const base64 = Buffer.from(relay.processor.rootCertificate).toString('base64')
    const pem = file('root.pem', `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`)
    expect((await cli('bundle', bundle, '--policy', policy, '--root', pem)).code).toBe(0)
  })

  it('exits 2 without the root in which the chain ends', async () => {
    expect((await cli('bundle', bundle, '--policy', policy)).code).toBe(2)
  })

  it('exits 3 without leave for a simulated root', async () => {
    const strict = jsonFile('strict.json', { ...relay.policy, accept_simulated: false })
    const { code, out } = await cli('bundle', bundle, '--policy', strict, '--root', root)
    expect(code).toBe(3)
    expect(out).toMatch(/^NOT TRUSTED \(exit 3\) SIMULATED, root_accepted failed: simulated_without_leave/)
  })

  it('judges at the time that --now says', async () => {
    const { code, out } = await cli(
      'bundle',
      bundle,
      '--policy',
      policy,
      '--root',
      root,
      '--now',
      '2030-01-01',
    )
    expect(code).toBe(3)
    expect(out).toContain('keyset_window failed: keyset_expired')
  })

  it('exits 4 where the bundle does not match', async () => {
    const honest = await relay.mint()
    const swapped = file('swapped.json', toBytes({ ...honest, consents: [...honest.consents].reverse() }))
    expect((await cli('bundle', swapped, '--policy', policy, '--root', root)).code).toBe(4)
  })

  it('exits 5 where it is malformed', async () => {
    expect((await cli('bundle', policy, '--policy', policy)).code).toBe(5)
  })

  it.each<[string, () => readonly string[], RegExp]>([
    ['no policy', () => ['bundle', bundle], /--policy/],
    ['no file', () => ['bundle', '--policy', policy], /missing required argument/],
    ['a file that is not there', () => ['bundle', join(folder, 'none'), '--policy', policy], /ENOENT/],
    ['a policy that is not there', () => ['bundle', bundle, '--policy', join(folder, 'none')], /ENOENT/],
    ['a policy that is no JSON', () => ['bundle', bundle, '--policy', root], /policy_malformed/],
    [
      'a root that is none',
      () => ['bundle', bundle, '--policy', policy, '--root', policy],
      /argument_invalid/,
    ],
    [
      'a time without a zone',
      () => ['bundle', bundle, '--policy', policy, '--now', '2026-01-01T00:00'],
      /--now/,
    ],
    ['a time that is none', () => ['bundle', bundle, '--policy', policy, '--now', 'now'], /--now/],
    ['an unknown option', () => ['bundle', bundle, '--policy', policy, '--skip'], /unknown option/],
    ['an unknown command', () => ['trust', bundle], /unknown command/],
    ['no command', () => [], /Usage/],
  ])('exits 1 on %s, and prints nothing to stdout', async (_, argv, message) => {
    const { code, out, err } = await cli(...argv())
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })

  it('exits 1 on a policy that leaves a reference value out, and names it', async () => {
    const rest = without(relay.policy, 'accept_simulated')
    const { code, err } = await cli('bundle', bundle, '--policy', jsonFile('short.json', rest))
    expect(code).toBe(1)
    expect(err).toMatch(/reference_value_missing.*accept_simulated/)
  })
})

describe('parley-verify evidence', () => {
  it('exits 0 on evidence that is trusted, whoever asked for it', async () => {
    const boot = file(
      'evidence.json',
      canonicalBytes(await mintEvidence(keysetOf('confidential'), null, relay.reporter)),
    )
    const { code, out } = await cli('evidence', boot, '--policy', policy, '--root', root, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ procedure: 'evidence', trusted: true, simulated: true })
  })

  it('exits 3 in the software lane under a policy that asks for hardware', async () => {
    const evidence = await mintEvidence(keysetOf('software'), null, null)
    const path = file('software-evidence.json', canonicalBytes(evidence))
    expect((await cli('evidence', path, '--policy', policy)).code).toBe(3)
    const lenient = jsonFile('software-policy.json', policyFor('software'))
    expect((await cli('evidence', path, '--policy', lenient)).code).toBe(0)
  })

  it('exits 5 on a raw quote: it names no relay', async () => {
    const quote = file('quote.bin', relay.processor.attest({ reportData: new Uint8Array(64) }))
    expect((await cli('evidence', quote, '--policy', policy)).code).toBe(5)
  })
})

describe('parley-verify receipt', () => {
  it('exits 0 under the pinned key, 4 under another, 5 on what is no receipt', async () => {
    const { receipt } = await mintBundle('software', null)
    const path = file('receipt.json', canonicalBytes(receipt))
    const key = file('key', `${toBase64url(KEYS.receipt.publicKey)}\n`)
    const other = file('other-key', toBase64url(KEYS.stranger.publicKey))
    const trusted = await cli('receipt', path, '--key', key)
    expect(trusted).toMatchObject({ code: 0, err: '' })
    expect(trusted.out).toMatch(/^TRUSTED, SELF_ASSERTED, software lane, COMPLETED\n/)
    expect((await cli('receipt', path, '--key', other)).code).toBe(4)
    expect((await cli('receipt', key, '--key', key)).code).toBe(5)
  })

  it('exits 1 on a key that is none', async () => {
    const { code, err } = await cli('receipt', policy, '--key', policy)
    expect(code).toBe(1)
    expect(err).toMatch(/encoding_malformed/)
  })
})

describe('parley-verify inspect', () => {
  const folderOf = async (name: string): Promise<string> => {
    const hardware = await relay.reporter(new Uint8Array(64))
    file(`${name}/report.bin`, fromBase64url(hardware.report))
    file(`${name}/some-leaf.der`, fromBase64url(hardware.leaf_certificate))
    file(`${name}/ask.DER`, fromBase64url(hardware.intermediate_certificate))
    file(`${name}/x.der`, fromBase64url(hardware.root_certificate))
    file(`${name}/expected.json`, '{}')
    file(`${name}/source-blob.bin`, 'anything')
    return join(folder, name)
  }

  it('reads a folder with report.bin and certificates by any name, and ignores what else lies there', async () => {
    const { code, out } = await cli('inspect', await folderOf('corpus-like'), '--json')
    expect(code).toBe(2)
    const inspection = JSON.parse(out) as { checks: { name: string; result: string }[] }
    expect(inspection).toMatchObject({
      genuine: false,
      code: 'root_not_pinned',
      product: 'Milan',
      report_version: 3,
    })
    expect(Object.keys(inspection).sort()).toEqual([
      'checks',
      'code',
      'genuine',
      'product',
      'report',
      'report_version',
      'signed_by',
    ])
  })

  it('reads an evidence document', async () => {
    const evidence = await mintEvidence(keysetOf('confidential'), null, relay.reporter)
    const path = file('inspect-evidence.json', canonicalBytes(evidence))
    const { code, out } = await cli('inspect', path)
    expect(code).toBe(2)
    expect(out).toMatch(
      /^NOT GENUINE: root_not_pinned, Milan, report version 3, said to be signed by a VCEK\n/,
    )
  })

  it('finds nothing to judge in a document of the software lane', async () => {
    const path = file(
      'inspect-software.json',
      canonicalBytes(await mintEvidence(keysetOf('software'), null, null)),
    )
    const { code, out } = await cli('inspect', path, '--json')
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ genuine: false, code: 'collateral_missing', report: null })
  })

  it('reads a raw quote, and certificates from --certs', async () => {
    const certs = await folderOf('certs')
    const quote = file('raw.bin', relay.processor.attest({ reportData: new Uint8Array(64) }))
    expect(JSON.parse((await cli('inspect', quote, '--json')).out)).toMatchObject({
      code: 'collateral_missing',
    })
    expect(JSON.parse((await cli('inspect', quote, '--certs', certs, '--json')).out)).toMatchObject({
      code: 'root_not_pinned',
    })
  })

  it('takes an extra root by --root, and says that what ends there is SIMULATED', async () => {
    const path = await folderOf('under-extra-root')
    const { code, out } = await cli('inspect', path, '--root', root)
    expect(code).toBe(0)
    expect(out).toMatch(/^GENUINE SIMULATED, Milan, report version 3, signed by a VCEK\n/)
    const json = JSON.parse((await cli('inspect', path, '--root', root, '--json')).out) as {
      checks: { name: string; trusted_for: string }[]
    }
    expect(json.checks.find(({ name }) => name === 'root')?.trusted_for).toBe('simulated root')
  })

  it('does not take a root that is none, or another one', async () => {
    const path = await folderOf('under-other-root')
    const other = file('other-root.der', (await simulateRelay()).processor.rootCertificate)
    expect((await cli('inspect', path, '--root', other)).code).toBe(2)
    expect((await cli('inspect', path, '--root', file('no-root.der', 'none'))).code).toBe(1)
    expect((await cli('inspect', path, '--root', join(folder, 'nowhere.der'))).code).toBe(1)
  })

  it.each<[string, Uint8Array, string]>([
    ['a quote that is too short', new Uint8Array(1183), 'report_malformed'],
    ['a report of zeros', new Uint8Array(1184), 'report_malformed'],
    ['a table that never ends', new Uint8Array(1190), 'certificate_table_malformed'],
    ['an evidence document that is none', new TextEncoder().encode('{}'), 'object_malformed'],
    ['JSON that is none', new TextEncoder().encode('{'), 'json_malformed'],
  ])('exits 5 on %s', async (_, bytes, expected) => {
    const { code, out } = await cli('inspect', file('malformed.bin', bytes), '--json')
    expect(code).toBe(5)
    expect(JSON.parse(out)).toMatchObject({ genuine: false, code: expected })
  })

  it('exits 1 on a folder without a report', async () => {
    mkdirSync(join(folder, 'empty'), { recursive: true })
    expect(await cli('inspect', join(folder, 'empty'))).toMatchObject({ code: 1, out: '' })
  })

  it('explains itself with --help, and exits 0', async () => {
    const { code, out } = await cli('--help')
    expect(code).toBe(0)
    expect(out).toContain('Exit codes: 0 trusted')
  })
})

const verified = join(process.env['PARLEY_CORPUS'] ?? 'no corpus', 'snp', 'verified')
const leafOf = (name: string): string =>
  readdirSync(join(verified, name)).find((each) => /^v[cl]ek\.der$/.test(each)) ?? 'no leaf'

describe.runIf(existsSync(verified))('parley-verify inspect on real evidence', () => {
  it.each(existsSync(verified) ? readdirSync(verified) : [])(
    '%s is genuine while its leaf is valid',
    async (name) => {
      const { notBeforeMs } = parseCertificate(
        new Uint8Array(readFileSync(join(verified, name, leafOf(name)))),
      )
      const now = new Date(notBeforeMs + 86_400_000).toISOString()
      const { code, out } = await cli('inspect', join(verified, name), '--now', now)
      expect(code).toBe(0)
      expect(out).toMatch(/^GENUINE, (?:Milan|Genoa|Turin), report version [2-5], signed by a V[CL]EK\n/)
    },
  )
})

describe('what a stranger named', () => {
  const EVIL = 'z\u001b[2J\u009b1;32mTRUSTED\u202e'
  const PLAIN = /^[\n\x20-\x7e]*$/
  const bundleWith = async (name: string): Promise<string> =>
    file('evil.parley.json', canonicalBytes({ ...(await relay.mint()), [name]: 1 }))

  it.each([['--json'], []])('reaches no terminal as it is, in a verdict %s', async (...options) => {
    const { code, out } = await cli('bundle', await bundleWith(EVIL), '--policy', policy, ...options)
    expect(code).toBe(5)
    expect(out).toMatch(PLAIN)
  })

  it.each<[string, () => string[]]>([
    ['a file that is not there', () => ['bundle', join(folder, EVIL), '--policy', policy]],
    ['a policy that is not there', () => ['evidence', policy, '--policy', join(folder, EVIL)]],
    ['a policy that is none', () => ['evidence', policy, '--policy', file(`${EVIL}.json`, '{')]],
    ['a command that is none', () => [EVIL]],
    ['an option that is none', () => ['bundle', `--${EVIL}`]],
    ['a firmware that is not there', () => ['measure', '--ovmf', join(folder, EVIL), '--vcpus', '1']],
  ])('reaches no terminal as it is, in the error on %s', async (_, argv) => {
    const { code, out, err } = await cli(...argv())
    expect(code).toBe(1)
    expect(err).not.toBe('')
    expect(out + err).toMatch(PLAIN)
  })
})
