import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApprovalRequest, effectDigest, type EffectStatement } from '@parley/guardian'
import { describe, expect, test } from 'vitest'
import { ApprovalFolder } from '../../src/approvals/approval-folder.js'
import { signApproval } from '../../src/approvals/sign-approval.js'
import { generateIdentity, type Identity } from '../../src/index.js'
import { NOW_SECONDS } from '../double/keys.js'
import { freshFolder, testClock } from '../double/stage.js'
import { effectOf, requestOf } from './request.js'

const setUp = async (effect: (owner: Identity) => EffectStatement = ({ did }) => effectOf(did)) => {
  const [owner, clock, path] = [generateIdentity(), testClock(), join(await freshFolder(), 'approvals')]
  const parties = { approvers: [owner.did], audience: owner.did }
  const open = (): ApprovalFolder => new ApprovalFolder(path, clock, parties)
  const request: ApprovalRequest = requestOf(effect(owner), NOW_SECONDS)
  const file = join(path, `${request.effect_digest}.json`)
  return { owner, clock, open, request, file, digest: request.effect_digest }
}
const grantOf = ({ open, digest, owner }: Awaited<ReturnType<typeof setUp>>, by = owner) =>
  signApproval(open().find(digest), by, owner.did, NOW_SECONDS)
const never = new AbortController().signal

describe('a folder of approvals', () => {
  test('keeps a request in a private file, for another process to answer', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    expect((await stat(stage.file)).mode & 0o777).toBe(0o600)
    await stage.open().approve(stage.digest, grantOf(stage))
    expect(await stage.open().answer(stage.request, never)).toBe('approved')
  })

  test('UAR-14: lets an approval be used once, of many that try at once', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    await stage.open().approve(stage.digest, grantOf(stage))
    const used = await Promise.all(Array.from({ length: 6 }, () => stage.open().use(stage.digest)))
    expect(used.sort()).toEqual(['refused', 'refused', 'refused', 'refused', 'refused', 'used'])
    expect(stage.open().find(stage.digest).state).toBe('used')
  })

  test('does not forget an answer when it is asked again', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    await stage.open().deny(stage.digest)
    await stage.open().ask(stage.request)
    expect(await stage.open().answer(stage.request, never)).toBe('denied')
  })

  test('UAR-13: answers expired when nobody has answered in time', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    expect(await stage.open().answer(stage.request, never)).toBe('expired')
    expect(stage.clock.ms / 1000).toBe(stage.request.expires_at)
  })

  test('UAR-13: does not let an approval be used late', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    await stage.open().approve(stage.digest, grantOf(stage))
    stage.clock.ms += 300_000
    expect(await stage.open().use(stage.digest)).toBe('expired')
  })

  test('stops waiting when it is told to', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    expect(await stage.open().answer(stage.request, AbortSignal.abort())).toBe('expired')
    expect(stage.clock.ms).toBe(NOW_SECONDS * 1000)
  })

  test('takes back what was approved and not used', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    await stage.open().approve(stage.digest, grantOf(stage))
    expect((await stage.open().deny(stage.digest)).ok).toBe(true)
    expect(await stage.open().use(stage.digest)).toBe('refused')
  })

  test('UAR-14: takes no approval of a stranger', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    expect(await stage.open().approve(stage.digest, grantOf(stage, generateIdentity()))).toMatchObject({
      ok: false,
      code: 'wrong_issuer',
    })
    expect(stage.open().find(stage.digest).state).toBe('pending')
  })

  test('UAR-14: a file that somebody edited to say approved approves nothing', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    const text = await readFile(stage.file, 'utf8')
    await writeFile(stage.file, text.replace('"state":"pending"', '"state":"approved"'))
    expect(await stage.open().answer(stage.request, never)).toBe('approved')
    expect(await stage.open().use(stage.digest)).toBe('refused')
  })

  test('UAR-14: a file whose effect was edited is malformed', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    const text = await readFile(stage.file, 'utf8')
    await writeFile(stage.file, text.replace('bob@example.org', 'eve@example.org'))
    expect(() => stage.open().find(stage.digest)).toThrow(
      expect.objectContaining({ code: 'state_malformed' }),
    )
    await expect(stage.open().use(stage.digest)).rejects.toMatchObject({ code: 'state_malformed' })
  })

  test('a file that others may read is not used', async () => {
    const stage = await setUp()
    await stage.open().ask(stage.request)
    await chmod(stage.file, 0o644)
    expect(() => stage.open().list()).toThrow(expect.objectContaining({ code: 'file_not_private' }))
  })

  test.each(['use', 'deny'] as const)('has nothing to %s where nobody asked', async (step) => {
    const { open, digest } = await setUp()
    await expect(open()[step](digest)).rejects.toMatchObject({ code: 'state_missing' })
    expect(open().list()).toEqual([])
  })

  test.each(['../identity', '', 'A'.repeat(64)])('names no file by %j', async (digest) => {
    const { open } = await setUp()
    expect(() => open().find(digest)).toThrow(expect.objectContaining({ code: 'argument_invalid' }))
  })

  test('nobody signs for an effect that nobody is proven to ask for', async () => {
    const stage = await setUp(({ did }) => ({ ...effectOf(did), identity: null }))
    await stage.open().ask(stage.request)
    expect(effectDigest(stage.request.effect)).toBe(stage.digest)
    expect(() => grantOf(stage)).toThrow(expect.objectContaining({ code: 'argument_invalid' }))
  })
})
