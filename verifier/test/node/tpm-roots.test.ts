import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, parseEvidence, parseJson } from '@parley/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { judgeFiles } from '../../page/judge-files.js'
import { run } from '../../src/node/index.js'

const RECORDED = join(import.meta.dirname, '../../../attestation/vectors/boot/recorded-rsa-secure-boot')
const at = (file: string): string => join(RECORDED, file)
const read = (file: string): Uint8Array => Uint8Array.from(readFileSync(at(file)))
const json = (file: string): JsonObject => JSON.parse(readFileSync(at(file), 'utf8')) as JsonObject

const folder = mkdtempSync(join(tmpdir(), 'parley-tpm-roots-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const any = { any: 'not what is looked at here' }
const { release } = parseEvidence(parseJson(read('evidence.json'))).keyset
const POLICY: JsonObject = {
  version: 'parley-policy-v1',
  minimum_assurance: 'TEE_ATTESTED',
  accept_simulated: true,
  hardware: json('hardware-policy.json'),
  boot: json('boot-policy.json'),
  relay: {
    version: any,
    image_digest: any,
    policy_bundle_hash: { equals: release.policy_bundle_hash },
    profile_hash: any,
    receipt_key: any,
  },
  waive: [],
}
const NOW = (json('expect.json') as { now: string }).now

const cli = async (...more: readonly string[]) => {
  const policy = join(folder, 'policy.json')
  writeFileSync(policy, JSON.stringify(POLICY))
  const printed = { out: '', err: '' }
  const given = ['--policy', policy, '--root', at('processor-root.der'), '--now', NOW]
  const code = await run(['evidence', at('evidence.json'), ...given, ...more], {
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
    now: Date.parse(NOW),
  })
  return { code, ...printed }
}

describe('parley-verify evidence, of a relay with a TPM', () => {
  it('takes a root of TPMs with --tpm-root, and says SIMULATED', async () => {
    const { code, out } = await cli('--tpm-root', at('tpm-root.der'))
    expect(code).toBe(0)
    expect(out).toContain('claim app: passed, root: SIMULATED root')
    expect(out).toContain('covers the firmware only')
  })

  it("takes Google's with --google-root, on the word of whoever passes it", async () => {
    const { code, out } = await cli('--google-root', at('tpm-root.der'))
    expect(code).toBe(0)
    expect(out).toContain('claim launch: passed, root: SIMULATED root')
    expect(out).toContain('claim app: passed, root: Google')
  })

  it('exits 3 without either, and says that a root is missing', async () => {
    const { code, out } = await cli()
    expect(code).toBe(3)
    expect(out).toMatch(/not_run +boot_root .*\(root_missing\)/)
    expect(out).toContain('claim app: not_run')
  })

  it.each([
    ['is not there', '/nowhere/root.der'],
    ['is no certificate', at('quote.bin')],
  ])('exits 1 where the file %s', async (_, file) => {
    expect((await cli('--google-root', file)).code).toBe(1)
  })
})

describe('parley-verify evidence, under a root to which no TPM leads', () => {
  it('exits 2: chain_broken', async () => {
    const { code, out } = await cli('--google-root', at('processor-root.der'))
    expect(code).toBe(2)
    expect(out).toMatch(/failed +boot_root .*\(chain_broken\)/)
  })
})

describe('the page, of a relay with a TPM', () => {
  const files = (kind: 'google' | 'simulated' | null) => ({
    subject: { kind: 'evidence' as const, file: { name: 'evidence.json', bytes: read('evidence.json') } },
    policy: { name: 'policy.json', bytes: new TextEncoder().encode(JSON.stringify(POLICY)) },
    roots: [{ name: 'root.der', bytes: read('processor-root.der') }],
    tpmRoots: kind === null ? [] : [{ certificate: read('tpm-root.der'), kind }],
    now: new Date(NOW),
  })

  it('prints what the command line prints', async () => {
    const judged = await judgeFiles(files('simulated'))
    expect(judged).toMatchObject({
      decision: 'TRUSTED',
      text: (await cli('--tpm-root', at('tpm-root.der'))).out,
    })
  })

  it('names Google among those who are still trusted', async () => {
    const judged = await judgeFiles(files('google'))
    if ('obstacle' in judged) throw new Error(judged.obstacle)
    expect(judged.parties.map(({ name }) => name)).toEqual([
      'Google',
      'SIMULATED root',
      'the relay',
      'your policy',
    ])
  })

  it('trusts nothing without a root of TPMs', async () => {
    expect(await judgeFiles(files(null))).toMatchObject({ decision: 'NOT TRUSTED', exitCode: 3 })
  })
})
