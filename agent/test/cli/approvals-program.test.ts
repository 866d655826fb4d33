import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ApprovalFolder } from '../../src/approvals/approval-folder.js'
import { effectOf, requestOf } from '../approvals/request.js'
import { NOW_SECONDS } from '../double/keys.js'
import { freshFolder, testClock } from '../double/stage.js'
import { type Played, play } from './terminal.js'

type Desk = {
  readonly digest: string
  readonly folder: ApprovalFolder
  readonly type: (argv: readonly string[], answer?: boolean) => Promise<Played>
}

/** A home in which an agent waits for an approval. */
const waiting = async (askedAt = NOW_SECONDS): Promise<Desk> => {
  const home = join(await freshFolder(), 'home')
  const did = (await play(['init', '--home', home])).out.trim()
  const folder = new ApprovalFolder(join(home, 'approvals'), testClock(), { approvers: [did], audience: did })
  const request = requestOf(effectOf(did), askedAt)
  await folder.ask(request)
  const type = (argv: readonly string[], answer?: boolean): Promise<Played> =>
    play([...argv, '--home', home], answer === undefined ? {} : { answer })
  return { digest: request.effect_digest, folder, type }
}

describe('parley approvals', () => {
  test('lists what waits, with everything that an approval binds, and no control characters', async () => {
    const { digest, type } = await waiting()
    const { code, out } = await type(['approvals', 'list'])
    expect(code).toBe(0)
    for (const part of [digest, 'send-mail', 'bob@example.org', 'support', 'session-1', 'tool-acts-approved'])
      expect(out).toContain(part)
    expect(out).not.toContain('\u202e')
  })

  test('lists what was decided only when it is asked for', async () => {
    const { digest, type } = await waiting()
    await type(['deny', digest])
    expect((await type(['approvals', 'list'])).out).toBe('')
    expect(JSON.parse((await type(['approvals', 'list', '--all', '--json'])).out)).toMatchObject([
      { effect_digest: digest, state: 'denied', grant: null },
    ])
  })
})

describe('parley approve', () => {
  test('shows the effect, asks, and signs what can be used once', async () => {
    const { digest, folder, type } = await waiting()
    const { code, out, err, asked } = await type(['approve', digest.slice(0, 8)], true)
    expect([code, out, asked.length]).toEqual([0, 'approved\n', 1])
    expect(err).toContain('bob@example.org')
    expect([await folder.use(digest), await folder.use(digest)]).toEqual(['used', 'refused'])
  })

  test('signs nothing after a no', async () => {
    const { digest, folder, type } = await waiting()
    expect((await type(['approve', digest], false)).code).toBe(1)
    expect(folder.find(digest).state).toBe('pending')
  })

  test('needs no terminal with --yes and the whole digest', async () => {
    const { digest, folder, type } = await waiting()
    expect((await type(['approve', digest, '--yes'])).code).toBe(0)
    expect(folder.find(digest).state).toBe('approved')
  })

  test.each([
    ['a part of the digest and --yes', (digest: string) => [digest.slice(0, 63), '--yes']],
    ['no terminal and no --yes', (digest: string) => [digest]],
    ['too few digits', (digest: string) => [digest.slice(0, 7), '--yes']],
    ['another digest', () => ['0'.repeat(64), '--yes']],
  ])('approves nothing with %s', async (_, argsOf) => {
    const { digest, folder, type } = await waiting()
    expect((await type(['approve', ...argsOf(digest)])).code).toBe(1)
    expect(folder.find(digest).state).toBe('pending')
  })

  test('approves nothing that is over', async () => {
    const { digest, type } = await waiting(NOW_SECONDS - 300)
    const { code, err } = await type(['approve', digest, '--yes'])
    expect([code, err]).toEqual([1, expect.stringContaining('expired')])
  })

  test('approves nothing that was denied', async () => {
    const { digest, type } = await waiting()
    await type(['deny', digest])
    const { code, err } = await type(['approve', digest, '--yes'])
    expect([code, err]).toEqual([1, expect.stringContaining('denied')])
  })
})

describe('parley deny', () => {
  test('takes back an approval that was not used', async () => {
    const { digest, folder, type } = await waiting()
    await type(['approve', digest, '--yes'])
    expect((await type(['deny', digest])).out).toBe('denied\n')
    expect(await folder.use(digest)).toBe('refused')
  })

  test('cannot take back what was used', async () => {
    const { digest, folder, type } = await waiting()
    await type(['approve', digest, '--yes'])
    await folder.use(digest)
    expect(await type(['deny', digest])).toMatchObject({
      code: 1,
      err: expect.stringContaining('approval_settled') as string,
    })
  })
})
