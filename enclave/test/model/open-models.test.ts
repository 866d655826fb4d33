import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAppraisalPolicy } from '@parley/attestation'
import { CLOSED_DATA_POLICY } from '@parley/guardian'
import { describe, expect, it } from 'vitest'
import { examplePolicy } from '../../../scripts/src/example-policy.js'
import { systemClock } from '../../src/clock.js'
import type { ModelServices } from '../../src/model/model-service.js'
import { type Models, openModels } from '../../src/model/open-models.js'
import type { Provider } from '../../src/policy/providers.js'
import { temporaryDirectory } from '../boot.js'
import { startApiServer } from './doubles/api-server.js'
import { DOUBLES, fresh, HOST, KEY, providerOf, theAuthority, toLoopback } from './doubles/open-double.js'
import { DRAFT, never, REQUEST } from './doubles/requests.js'

const malformed = expect.objectContaining({ code: 'config_malformed' }) as Error

const keyFile = (): string => {
  const path = join(temporaryDirectory(), 'key')
  writeFileSync(path, `${KEY}\n`, { mode: 0o600 })
  return path
}

const OPEN = {
  ...CLOSED_DATA_POLICY.egress,
  allowed_hosts: [{ host: HOST, port: 443, region: 'eu' as const }],
}
const data = { ...CLOSED_DATA_POLICY, egress: OPEN }

const openAll = (
  providers: readonly Provider[],
  keys: Record<string, string> = {},
  port = 1,
): Promise<Models> =>
  openModels({
    bundle: { providers, data },
    keys,
    connect: toLoopback(port),
    roots: [],
    audit: { append: () => Promise.reject(new Error('no log')) },
    clock: systemClock(),
    random: fresh,
  })

const open = async (...asked: Parameters<typeof openAll>): Promise<ModelServices> =>
  (await openAll(...asked)).services

const attested = {
  hardware: parseAppraisalPolicy(examplePolicy()),
  image_digest: 'aa'.repeat(32),
  policy_bundle_hash: 'bb'.repeat(32),
}

describe('the models that a relay can ask', () => {
  it('are those that it has a key for, those that take none, and what offer and receipt say of them', async () => {
    const { root } = await theAuthority()
    const bare: Provider = { ...providerOf('gemini', []), api_key: 'none', attested }
    const services = await open(
      [providerOf('anthropic', [root]), providerOf('openai', [root]), providerOf('local', []), bare],
      { openai: keyFile() },
    )
    expect([...services.keys()]).toEqual(['openai', 'local', 'gemini'])
    expect(services.get('openai')).toMatchObject({ account: 'acme', fileHash: null, attests: false })
    expect(services.get('local')).toMatchObject({ account: null, fileHash: 'f1'.repeat(32), attests: false })
    expect(services.get('gemini')).toMatchObject({ account: 'acme', fileHash: null, attests: true })
  })

  it('are of several of a kind the first that can be asked', async () => {
    const { root } = await theAuthority()
    const rows = ['one', 'two', 'three'].map((name) => ({
      ...providerOf('openai', [root]),
      name,
      account: name,
    }))
    const services = await open(rows, { two: keyFile(), three: keyFile() })
    expect(services.get('openai')?.account).toBe('two')
  })

  it('answer over TLS that ends here, at the host of the bundle', async () => {
    const authority = await theAuthority()
    const server = await startApiServer(
      DOUBLES.openai(KEY, { does: 'complete', text: DRAFT }),
      await authority.issue(HOST),
    )
    const services = await open([providerOf('openai', [authority.root])], { openai: keyFile() }, server.port)
    const asked = await services.get('openai')?.ask(REQUEST, never())
    expect(asked).toMatchObject({ reply: { kind: 'completed', text: DRAFT }, evidence: null })
  })

  it('that are rate limited first are asked again', async () => {
    const authority = await theAuthority()
    const complete = DOUBLES.openai(KEY, { does: 'complete', text: DRAFT })
    let calls = 0
    const server = await startApiServer(
      (heard) =>
        calls++ === 0 ? { status: 429, headers: { 'retry-after': '0' }, body: '{}' } : complete(heard),
      await authority.issue(HOST),
    )
    const services = await open([providerOf('openai', [authority.root])], { openai: keyFile() }, server.port)
    expect(await services.get('openai')?.ask(REQUEST, never())).toMatchObject({ reply: { text: DRAFT } })
    expect(server.heard).toHaveLength(2)
  })

  it('that are on no host of the egress policy are not reached', async () => {
    const { root } = await theAuthority()
    const elsewhere = { ...providerOf('openai', [root]), host: 'api.elsewhere.test' }
    const services = await open([elsewhere], { openai: keyFile() })
    const asked = await services.get('openai')?.ask(REQUEST, never())
    expect(asked).toEqual({ reply: { kind: 'failed', cause: 'unreachable' }, evidence: null })
  })

  it('that must attest are told nothing where there is no evidence to appraise', async () => {
    const server = await startApiServer(() => ({ status: 200, body: '{}' }))
    const bare: Provider = { ...providerOf('openai', []), api_key: 'none', attested }
    const services = await open([bare], {}, server.port)
    const asked = await services.get('openai')?.ask(REQUEST, never())
    expect(asked).toEqual({ reply: { kind: 'failed', cause: 'unreachable' }, evidence: null })
    expect(server.heard.map(({ path }) => path)).toEqual(['/evidence'])
  })
})

describe('keys that come later', () => {
  const rows = (root: string): readonly Provider[] =>
    ['one', 'two'].map((name) => ({ ...providerOf('openai', [root]), name, account: name }))

  it('show in what can be asked, and are gone when others take their place', async () => {
    const models = await openAll([...rows((await theAuthority()).root), providerOf('local', [])])
    expect(models.keyed).toEqual(['one', 'two'])
    expect([...models.services.keys()]).toEqual(['local'])
    models.replaceKeys(new Map([['two', KEY]]))
    expect(models.services.get('openai')?.account).toBe('two')
    models.replaceKeys(new Map(['two', 'one'].map((name) => [name, KEY])))
    expect(models.services.get('openai')?.account).toBe('one')
    expect(models.held()).toEqual(['one', 'two'])
    models.replaceKeys(new Map())
    expect(models.held()).toEqual([])
    expect([...models.services.keys()]).toEqual(['local'])
  })

  it('are used for the next call, also by whoever held the provider before', async () => {
    const authority = await theAuthority()
    const server = await startApiServer(
      DOUBLES.openai(KEY, { does: 'complete', text: DRAFT }),
      await authority.issue(HOST),
    )
    const models = await openAll([providerOf('openai', [authority.root])], {}, server.port)
    models.replaceKeys(new Map([['openai', 'sk-old']]))
    const service = models.services.get('openai')
    const ask = async () => (await service?.ask(REQUEST, never()))?.reply
    expect(await ask()).toEqual({ kind: 'failed', cause: 'unauthorized' })
    models.replaceKeys(new Map([['openai', KEY]]))
    expect(await ask()).toMatchObject({ kind: 'completed' })
    models.replaceKeys(new Map())
    expect(await ask()).toEqual({ kind: 'failed', cause: 'unauthorized' })
    expect(server.heard).toHaveLength(2)
  })
})

describe('what is not opened', () => {
  it('is a key of a provider that the bundle does not have', async () => {
    await expect(open([], { openai: keyFile() })).rejects.toEqual(malformed)
  })

  it('is a provider that takes no key with one', async () => {
    await expect(open([providerOf('local', [])], { local: keyFile() })).rejects.toEqual(malformed)
  })

  it('is a key file that others may read', async () => {
    const path = join(temporaryDirectory(), 'key')
    writeFileSync(path, 'key', { mode: 0o644 })
    await expect(open([providerOf('openai', ['root'])], { openai: path })).rejects.toEqual(malformed)
  })
})

describe('a local model’s file', () => {
  const bytes = 'GGUF of a test'
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const withFile = (pinned: string, path: string | null): Promise<ModelServices> =>
    open([{ ...providerOf('local', []), model_file: { sha256: pinned, path } }])
  const file = (): string => {
    const path = join(temporaryDirectory(), 'tiny.gguf')
    writeFileSync(path, bytes)
    return path
  }

  it('is the one that the bundle pins', async () => {
    expect((await withFile(sha256, file())).get('local')?.fileHash).toBe(sha256)
  })

  it('that is another is refused as config_malformed, and so is one that is not there', async () => {
    await expect(withFile('f1'.repeat(32), file())).rejects.toEqual(malformed)
    await expect(withFile(sha256, join(temporaryDirectory(), 'none'))).rejects.toEqual(malformed)
  })

  it('is taken as pinned where the bundle gives no path', async () => {
    expect((await withFile('f1'.repeat(32), null)).get('local')?.fileHash).toBe('f1'.repeat(32))
  })
})
