import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stranger } from '../double/consents.js'
import { NOW_SECONDS } from '../double/keys.js'
import { freshFolder } from '../double/stage.js'
import { play } from './terminal.js'

/** Two homes: one gives consents, the other enforces them. */
const stage = async () => {
  const folder = await freshFolder()
  const at = (name: string): string => join(folder, name)
  const didOf = async (home: string) => (await play(['init', '--home', home])).out.trim()
  const [giver, host] = [at('giver'), at('host')]
  const dids = { giver: await didOf(giver), host: await didOf(host) }
  const run = (home: string, ...argv: readonly string[]) => play(['consent', ...argv, '--home', home])
  const grant = (...more: readonly string[]) =>
    run(giver, 'grant', '--to', stranger.did, '--purpose', 'billing', ...more)
  return { at, giver, host, dids, run, grant }
}
const ID = /^[A-Za-z0-9_-]{22}\n$/

describe('parley consent', () => {
  test('A2A-24: a consent is given, shown and taken back', async () => {
    const { giver, dids, run, grant } = await stage()
    const given = await grant()
    expect(given).toMatchObject({ code: 0, err: '' })
    expect(given.out).toMatch(ID)
    const id = given.out.trim()
    const shown = await run(giver, 'show')
    expect(shown.out).toBe(
      `${id}  active\n  purpose  billing\n  from     ${dids.giver}\n  to       ${stranger.did}\n` +
        `  at       ${dids.giver}\n  uses     0 of 1\n  until    ${new Date((NOW_SECONDS + 86_400) * 1000).toISOString()}\n`,
    )
    expect(await run(giver, 'revoke', id)).toMatchObject({ code: 0, out: 'revoked\n' })
    expect((await run(giver, 'show', id)).out).toContain(`${id}  revoked\n`)
  })

  test('A2A-24: it is carried to whoever enforces it, and so is its end', async () => {
    const { at, giver, host, dids, run, grant } = await stage()
    const { out } = await grant('--at', dids.host, '--out', at('consent.json'), '--uses', '3')
    expect(await run(host, 'import', at('consent.json'))).toMatchObject({ code: 0, out })
    const json = JSON.parse((await run(host, 'show', '--json')).out) as readonly object[]
    expect(json).toMatchObject([{ state: 'active', uses: 0, grant: { iss: dids.giver, max_uses: 3 } }])
    await run(giver, 'revoke', out.trim(), '--out', at('end.json'))
    expect(await run(host, 'import', at('end.json'))).toMatchObject({ code: 0, out: 'revoked\n' })
    expect((await run(host, 'show')).out).toContain('  revoked\n')
  })

  test('an end that comes before its consent holds', async () => {
    const { at, giver, host, dids, run, grant } = await stage()
    const { out } = await grant('--at', dids.host, '--out', at('consent.json'))
    await run(giver, 'revoke', out.trim(), '--out', at('end.json'))
    await run(host, 'import', at('end.json'))
    await run(host, 'import', at('consent.json'))
    expect((await run(host, 'show')).out).toContain('  revoked\n')
  })

  test.each([
    ['for less than a minute', ['--ttl', '59']],
    ['for more than 30 days', ['--ttl', '2592001']],
    ['to nobody that can be held to it', ['--to', 'shop']],
    ['for a purpose of two words', ['--purpose', 'a b']],
    ['for no purpose', ['--purpose', '']],
    ['without end', ['--uses', '0']],
    ['more often than a million times', ['--uses', '1000001']],
    ['under a contract that is no hash', ['--contract', 'x']],
    ['elsewhere without a file to carry', ['--at', stranger.did]],
  ])('a consent %s is not given', async (_, more) => {
    const { giver, run, grant } = await stage()
    expect(await grant(...more)).toMatchObject({ code: 1, out: '' })
    expect((await run(giver, 'show')).out).toBe('')
  })

  test('a consent for a minute and one for 30 days are given', async () => {
    const { grant } = await stage()
    for (const ttl of ['60', '2592000']) expect((await grant('--ttl', ttl)).code).toBe(0)
  })

  test('only who gave a consent takes it back', async () => {
    const { at, host, dids, run, grant } = await stage()
    const { out } = await grant('--at', dids.host, '--out', at('consent.json'))
    await run(host, 'import', at('consent.json'))
    expect(await run(host, 'revoke', out.trim())).toMatchObject({ code: 1, out: '' })
    expect(await run(host, 'revoke', 'unknown')).toMatchObject({ code: 1, out: '' })
    expect((await run(host, 'show')).out).toContain('  active\n')
  })

  test('one that is enforced elsewhere is not taken back without a file to carry', async () => {
    const { at, giver, dids, run, grant } = await stage()
    const { out } = await grant('--at', dids.host, '--out', at('consent.json'))
    expect(await run(giver, 'revoke', out.trim())).toMatchObject({ code: 1, out: '' })
    expect((await run(giver, 'show')).out).toContain('  active\n')
  })

  test('what counts elsewhere, or was changed on its way, is not taken', async () => {
    const { at, giver, host, dids, run, grant } = await stage()
    await grant('--at', dids.host, '--out', at('consent.json'))
    expect(await run(giver, 'import', at('consent.json'))).toMatchObject({ code: 1 })
    const text = await readFile(at('consent.json'), 'utf8')
    await writeFile(at('changed.json'), text.replace('"max_uses":1', '"max_uses":9'))
    expect(await run(host, 'import', at('changed.json'))).toMatchObject({ code: 5 })
    expect(await run(host, 'import', at('none.json'))).toMatchObject({ code: 1 })
    expect((await run(host, 'show')).out).toBe('')
  })

  test('an out file that is there already is left alone, and no consent is given', async () => {
    const { at, giver, dids, run, grant } = await stage()
    await grant('--at', dids.host, '--out', at('consent.json'))
    expect(await grant('--at', dids.host, '--out', at('consent.json'))).toMatchObject({ code: 1 })
    const shown = JSON.parse((await run(giver, 'show', '--json')).out) as readonly object[]
    expect(shown).toHaveLength(1)
  })
})
