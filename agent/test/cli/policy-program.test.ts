import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPolicyBundle } from '@parley/enclave'
import { freshFolder } from '../double/stage.js'
import { play } from './terminal.js'

const SHIPPED = join(import.meta.dirname, '../../../infra/policy')

const stage = async () => {
  const folder = await freshFolder()
  const bundle = join(folder, 'policy')
  await cp(SHIPPED, bundle, { recursive: true })
  const put = (path: string, text: string) => writeFile(join(bundle, path), text)
  return { folder, bundle, put, policy: (...argv: readonly string[]) => play(['policy', ...argv]) }
}

const PROVIDER = {
  name: 'web',
  kind: 'openai',
  host: 'api.example.org',
  port: 443,
  roots: ['web.pem'],
  account: 'acme',
  api_key: 'required',
}
const NONE = { allow: [] }
const ADMITTING_NOTHING = JSON.stringify({
  version: 'parley-registry-admission-v1',
  registry_root: '0'.repeat(64),
  ...{ schemas: NONE, policies: NONE, profiles: NONE, programs: NONE, contract_offers: NONE },
})

const entity = (type: string, id: string, attributes: object = {}) => ({ type, id, attributes })
const agent = (depth: number) => entity('Agent', `agent-${depth}`, { did: 'did:oas:x', depth })
const tool = (side_effect: string, tier = 1) =>
  entity('Tool', 'send-mail', { tier, scope: 'mail', side_effect })
const question = (change: object = {}) => ({
  principal: agent(0),
  action: 'tool.invoke',
  resource: tool('read'),
  purpose: 'support',
  classification: 'INTERNAL',
  ...change,
})

describe('parley policy hash', () => {
  test('is what a relay calls the same bundle', async () => {
    const { policy } = await stage()
    const { code, out } = await policy('hash', SHIPPED)
    expect(code).toBe(0)
    expect(out).toBe(`${loadPolicyBundle(SHIPPED, 'software').hash}\n`)
  })

  test('is another one after a change of any file', async () => {
    const { bundle, put, policy } = await stage()
    const before = (await policy('hash', bundle)).out
    await put('limits.json', '{}')
    expect((await policy('hash', bundle)).out).not.toBe(before)
  })
})

describe('parley policy check', () => {
  test('passes what ships, every file of it', async () => {
    const { policy } = await stage()
    const { code, out } = await policy('check', SHIPPED)
    expect(code).toBe(0)
    expect(out).not.toContain('failed')
    const { files } = JSON.parse((await policy('check', SHIPPED, '--json')).out) as {
      files: { path: string }[]
    }
    expect(files.map(({ path }) => path)).toEqual([
      'cedar/',
      'egress.json',
      'engines.json',
      'limits.json',
      'profiles/confidential.json',
      'profiles/embedded.json',
      'profiles/software.json',
      'registry-admission.json',
      'residency.json',
    ])
  })

  test.each<[string, string, string, string]>([
    ['a rule without an id', 'cedar/agent.cedar', 'permit (principal, action, resource);', 'cedar/'],
    [
      'a rule that the schema does not know',
      'cedar/agent.cedar',
      '@id("x") permit (principal is Nobody, action, resource);',
      'cedar/',
    ],
    ['an unknown member', 'egress.json', '{"more":1}', '/more'],
    ['no JSON', 'limits.json', 'x', 'limits.json'],
    ['a bound that is none', 'limits.json', '{"tick_ms":0}', '/tick_ms'],
    ['a file that has no place there', 'notes.txt', 'to do', 'no place'],
    [
      'a host in two lists',
      'egress.json',
      '{"version":"parley-egress-v1","allowed_hosts":[{"host":"a.example","port":443,"region":"eu"}],"forbidden_hosts":["a.example"]}',
      'egress.json',
    ],
    ['a residency that is none', 'residency.json', '{"version":"parley-residency-v1"}', '/data_residency'],
    [
      'a surface that this build lacks',
      'profiles/software.json',
      '{"version":"parley-profile-v1","name":"software","guardian_policy":"bounded-signal","surfaces":["hardware-evidence"]}',
      '/surfaces: this build has no surface hardware-evidence',
    ],
    [
      'a guardian policy that is not admitted',
      'profiles/software.json',
      '{"version":"parley-profile-v1","name":"software","guardian_policy":"lenient","surfaces":["audit-log"]}',
      '/guardian_policy is not admitted',
    ],
    [
      'a profile of another name',
      'profiles/embedded.json',
      '{"version":"parley-profile-v1","name":"software","guardian_policy":"bounded-signal","surfaces":["audit-log"]}',
      '/name',
    ],
    ['another registry', 'registry-admission.json', ADMITTING_NOTHING, "the registry's root is"],
    [
      'an authority that is nobody',
      'provisioning.json',
      '{"version":"parley-provisioning-v1","authorities":["me"]}',
      '/authorities/0',
    ],
    ['roots of no provider', 'providers/web.pem', 'x', 'is of no provider'],
    [
      'a provider without its roots',
      'providers.json',
      JSON.stringify({ version: 'parley-providers-v1', providers: [PROVIDER] }),
      '/providers/0 names providers/web.pem',
    ],
    [
      'a provider whose port is none',
      'providers.json',
      JSON.stringify({ version: 'parley-providers-v1', providers: [{ ...PROVIDER, port: 0 }] }),
      '/providers/0/port',
    ],
    [
      'an engine that is called local and is not',
      'providers.json',
      JSON.stringify({ version: 'parley-providers-v1', providers: [{ ...PROVIDER, name: 'local' }] }),
      'says of local what it is not',
    ],
  ])('exits 5 for %s, and says where', async (_, path, text, where) => {
    const { bundle, put, policy } = await stage()
    await mkdir(join(bundle, 'providers'))
    await put(path, text)
    const { code, out } = await policy('check', bundle)
    expect(code).toBe(5)
    expect(out).toContain('failed')
    expect(out).toContain(where)
  })

  test('tells of every faulty file, not of the first alone', async () => {
    const { bundle, put, policy } = await stage()
    await put('limits.json', '{}')
    await put('egress.json', '{}')
    const { out } = await policy('check', bundle)
    expect(out).toMatch(/failed {2}egress\.json: .*\/allowed_hosts/)
    expect(out).toMatch(/failed {2}limits\.json: .*\/session_ttl_seconds/)
    expect(out).toMatch(/passed {2}engines\.json/)
  })

  test.each(['limits.json', 'registry-admission.json', 'profiles'])(
    'exits 5 where %s is missing',
    async (path) => {
      const { bundle, policy } = await stage()
      await rm(join(bundle, path), { recursive: true })
      const { code, out } = await policy('check', bundle)
      expect(code).toBe(5)
      expect(out).toContain(`${path === 'profiles' ? 'profiles/' : path}: is missing`)
    },
  )

  test('exits 1 for a directory that is not there, or holds a link', async () => {
    const { folder, bundle, policy } = await stage()
    expect((await policy('check', join(folder, 'missing'))).code).toBe(1)
    await mkdir(join(folder, 'outside'))
    await symlink(join(folder, 'outside'), join(bundle, 'profiles/link.json'))
    expect((await policy('check', bundle)).code).toBe(1)
  })
})

describe('parley policy explain', () => {
  const explain = async (change: object) => {
    const { folder, policy } = await stage()
    const path = join(folder, 'question.json')
    await writeFile(path, JSON.stringify(question(change)))
    return policy('explain', SHIPPED, path)
  }

  test.each<[string, object, string, string]>([
    ['what a rule permits', {}, 'allow', '@id("tool-reads")'],
    ['what needs an approval', { resource: tool('write') }, 'approval_required', '@id("tool-acts-approved")'],
    [
      'what a rule forbids',
      { resource: tool('read', 2), classification: 'SECRET' },
      'deny',
      '@id("tool-secret")',
    ],
    [
      'what another needs',
      { action: 'secret.use', resource: entity('Secret', 'key'), principal: agent(1) },
      'approval_required',
      'secret-approved',
    ],
    [
      'what no rule permits at all',
      { action: 'task.delegate', principal: agent(9), resource: entity('Contract', 'c', { hash: 'h' }) },
      'deny',
      'no rule permits it',
    ],
    [
      'an attribute that is missing',
      { principal: entity('Agent', 'a', {}) },
      'deny',
      'the schema does not know',
    ],
    ['what the schema does not know', { action: 'tool.paint' }, 'deny', 'the schema does not know'],
    [
      'what one in the chain may not',
      { action: 'task.delegate', delegation: [agent(9)], resource: entity('Contract', 'c', { hash: 'h' }) },
      'deny',
      'for Agent::agent-9',
    ],
  ])('tells of %s', async (_, change, decision, why) => {
    const { code, out } = await explain(change)
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toBe(decision)
    expect(out).toContain(why)
  })

  test.each([
    ['a member more', { approved: true }],
    ['a label that is none', { classification: 'TOP' }],
    ['no action', { action: '' }],
  ])('exits 1 for a question with %s', async (_, change) => {
    expect((await explain(change)).code).toBe(1)
  })
})

describe('parley policy explain --contract', () => {
  const CONTRACTS = join(import.meta.dirname, '../../../registry/contracts')
  const contract = async (change: object = {}): Promise<object> => ({
    ...(JSON.parse(await readFile(join(CONTRACTS, 'negotiation-band.json'), 'utf8')) as object),
    ...change,
  })
  const explain = async (told: object, ...argv: readonly string[]) => {
    const { folder, policy } = await stage()
    const path = join(folder, 'contract.json')
    await writeFile(path, JSON.stringify(told))
    return policy('explain', SHIPPED, path, '--contract', ...argv)
  }

  test('names the policy that admits it, and who chose it: the contract, or else the profile', async () => {
    const own = await contract()
    const { code, out } = await explain(own)
    expect(code).toBe(0)
    expect(out).toMatch(/^admitted\n/)
    expect(out).toContain('registry-admission.json /policies/allow: admits')
    expect(out).toContain(loadPolicyBundle(SHIPPED, 'software').hash)
    const { enforcement_policy_hash: _, ...unsaid } = own as { readonly enforcement_policy_hash?: string }
    expect((await explain(unsaid)).out).toContain(
      'profiles/software.json /guardian_policy: is bounded-signal',
    )
  })

  test.each<[string, object, string, string]>([
    [
      'a policy that the bundle does not admit',
      { enforcement_policy_hash: 'f'.repeat(64) },
      'policy_unknown at /enforcement_policy_hash',
      'registry-admission.json /policies/allow',
    ],
    ['a schema that is none', { output_schema: { type: 'string' } }, 'refused: ', 'contract /'],
  ])('tells of %s', async (_, change, first, rule) => {
    const { code, out } = await explain(await contract(change))
    expect(code).toBe(0)
    expect(out).toMatch(/^refused: /)
    expect(out).toContain(first)
    expect(out).toContain(rule)
  })

  test('a model is refused by providers.json where it names nobody, and admitted where it does', async () => {
    const { folder, bundle, put, policy } = await stage()
    const path = join(folder, 'contract.json')
    expect((await play(['contract', 'build', 'mediation', '--out', path])).code).toBe(0)
    const asked = ['explain', bundle, path, '--contract', '--json'] as const
    const refused = JSON.parse((await policy(...asked)).out) as { rules: { file: string }[] }
    expect(refused).toMatchObject({ decision: 'refused', code: 'evaluator_unavailable' })
    expect(refused.rules.at(-1)?.file).toBe('providers.json')
    const kinds = ['anthropic', 'openai', 'gemini'].map((kind) => ({ ...PROVIDER, name: kind, kind }))
    await put('providers.json', JSON.stringify({ version: 'parley-providers-v1', providers: kinds }))
    const admitted = JSON.parse((await policy(...asked)).out) as object
    expect(admitted).toMatchObject({ decision: 'admitted', code: null })
  })

  test('exits 1 for what is no contract, and for a profile that is none', async () => {
    expect((await explain({})).code).not.toBe(0)
    expect((await explain(await contract(), '--profile', 'fast')).code).toBe(1)
  })
})
