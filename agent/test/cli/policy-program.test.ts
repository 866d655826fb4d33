import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
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
  test('passes what ships, and says which files only a relay checks', async () => {
    const { policy } = await stage()
    const { code, out } = await policy('check', SHIPPED)
    expect(code).toBe(0)
    expect(out).toMatch(/passed {5}cedar\/\n/)
    expect(out).toMatch(/form_only {2}limits\.json\n/)
  })

  test.each([
    ['a rule without an id', 'cedar/agent.cedar', 'permit (principal, action, resource);'],
    [
      'a rule that the schema does not know',
      'cedar/agent.cedar',
      '@id("x") permit (principal is Nobody, action, resource);',
    ],
    ['an unknown member', 'egress.json', '{"more":1}'],
    ['no JSON', 'limits.json', 'x'],
    ['a file that has no place there', 'notes.txt', 'to do'],
  ])('exits 5 for %s', async (_, path, text) => {
    const { bundle, put, policy } = await stage()
    await put(path, text)
    const { code, out } = await policy('check', bundle)
    expect(code).toBe(5)
    expect(out).toContain('failed')
  })

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
