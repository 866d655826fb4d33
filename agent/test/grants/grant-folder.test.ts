import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countedOf, issueRevocation, type Revocation } from '@parley/guardian'
import { canonicalize } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { GrantFolder } from '../../src/grants/grant-folder.js'
import { consent, stranger, subject } from '../double/consents.js'
import { NOW_SECONDS } from '../double/keys.js'
import { freshFolder, testClock } from '../double/stage.js'

const stage = async () => {
  const folder = join(await freshFolder(), 'grants')
  return {
    folder,
    home: new GrantFolder(folder, testClock()),
    again: () => new GrantFolder(folder, testClock()),
  }
}
const uses = (change: object = {}) => [countedOf(consent(change))]
const revocation = (): Revocation => issueRevocation(consent(), NOW_SECONDS, subject.key)
const code = (expected: string) => expect.objectContaining({ code: expected }) as Error

describe('what is held', () => {
  test('is what was kept, once, in files that only their owner may read', async () => {
    const { folder, home } = await stage()
    await home.keep(consent())
    await home.keep(consent())
    await home.take(uses())
    expect(home.held()).toEqual([consent()])
    const names = await readdir(folder)
    expect(names).toHaveLength(2)
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  })

  test('is nothing where there is no folder', async () => {
    expect((await stage()).home.held()).toEqual([])
  })

  test('is no grant that its issuer did not sign', async () => {
    const { home } = await stage()
    await expect(home.keep({ ...consent(), max_uses: 3 })).rejects.toThrow(code('signature_invalid'))
    await expect(home.keep({ ...consent(), note: 1 })).rejects.toThrow(code('object_malformed'))
    expect(home.held()).toEqual([])
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, -1)],
    ['changed', (text: string) => text.replace('billing', 'ads')],
    ['empty', () => ''],
  ])('A2A-24: is not read while a file of it is %s', async (_, break_) => {
    const { folder, home } = await stage()
    await home.keep(consent())
    const [name = ''] = await readdir(folder)
    const text = canonicalize({ version: 'parley-grant-v1', grant: consent() })
    await writeFile(join(folder, name), break_(text))
    expect(() => home.held()).toThrow(code('state_malformed'))
  })

  test('is not read from a file that others may read', async () => {
    const { folder, home } = await stage()
    await home.keep(consent())
    const [name = ''] = await readdir(folder)
    await chmod(join(folder, name), 0o644)
    expect(() => home.held()).toThrow(code('file_not_private'))
  })
})

describe('the book', () => {
  test('UAR-14: counts uses across instances, as across restarts', async () => {
    const { home, again } = await stage()
    expect(await home.take(uses())).toBe('taken')
    expect(await again().take(uses())).toBe('taken')
    expect([await home.take(uses()), await again().take(uses())]).toEqual(['used_up', 'used_up'])
    expect(home.recordOf(consent())).toMatchObject({ uses: 2, revoked: false })
  })

  test('UAR-14: of many uses at once no more are permitted than there are', async () => {
    const { home, again } = await stage()
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? home : again()).take(uses())),
    )
    expect(all.filter((each) => each === 'taken')).toHaveLength(2)
  })

  test('A2A-24: knows what another process revoked', async () => {
    const { home, again } = await stage()
    expect(await home.take(uses())).toBe('taken')
    await again().revoke(revocation())
    expect(await home.take(uses())).toBe('revoked')
  })

  test('takes no revocation that the issuer did not sign', async () => {
    const { home } = await stage()
    await expect(home.revoke({ ...revocation(), iss: stranger.did })).rejects.toThrow(
      code('signature_invalid'),
    )
    expect(await home.take(uses())).toBe('taken')
  })

  test.each(['', '{}', '{"version":"parley-grant-book-v1","records":[],"forgotten_up_to":-1'])(
    'A2A-24: that reads %j permits nothing',
    async (text) => {
      const { folder, home } = await stage()
      await home.keep(consent())
      await writeFile(join(folder, 'book.json'), text, { mode: 0o600 })
      await expect(home.take(uses())).rejects.toThrow(code('state_malformed'))
      expect(() => home.recordOf(consent())).toThrow(code('state_malformed'))
      await expect(home.revoke(revocation())).rejects.toThrow(code('state_malformed'))
    },
  )

  test('UAR-14: holds, after kill -9, every use that was permitted before it', async () => {
    const { folder, home } = await stage()
    const script = fileURLToPath(new URL('use-in-child.ts', import.meta.url))
    const grant = canonicalize(consent({ max_uses: 1_000_000 }))
    const child = spawn(process.execPath, [
      ...['--conditions=source', '--import', 'tsx', script],
      ...[folder, grant, String(NOW_SECONDS * 1000)],
    ])
    let said = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += String(text)
      if (said.split('\n').length > 5) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    const permitted = said.split('\n').length - 1
    expect(permitted).toBeGreaterThanOrEqual(5)
    const counted = home.recordOf(consent())?.uses ?? 0
    expect(counted).toBeGreaterThanOrEqual(permitted)
    expect(await home.take([countedOf(consent({ max_uses: counted }))])).toBe('used_up')
    expect(await home.take([countedOf(consent({ max_uses: counted + 1 }))])).toBe('taken')
  })
})
