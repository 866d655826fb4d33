import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalBytes, toHex } from '@parley/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { run } from '../../src/node/index.js'
import { checkpointOf, logOf, ORIGIN } from '../audit/log.js'
import { KEYS, mintBundle } from '../minted-bundle.js'

const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})
const file = (name: string, content: Uint8Array | string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const cli = async (...argv: readonly string[]) => {
  const printed = { out: '', err: '' }
  const io = {
    out: (text: string) => void (printed.out += text),
    err: (text: string) => void (printed.err += text),
    now: 0,
  }
  const code = await run(['audit', ...argv], io)
  return { code, ...printed }
}

const honest = logOf(['a', 'b', 'c'])
const forked = logOf(['a', 'b', 'x'])
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const log = file('log', text(honest))
const mine = file('mine.checkpoint', checkpointOf(honest))
const theirs = file('theirs.checkpoint', checkpointOf(forked))
const terms = ['--key', file('key.hex', toHex(KEYS.log.publicKey)), '--origin', ORIGIN, '--lane', 'software']

describe('parley-verify audit', () => {
  it('exits 0 for a log and a checkpoint of it', async () => {
    const { code, out } = await cli(mine, '--log', log, ...terms)
    expect(code).toBe(0)
    expect(out).toMatch(/^holds/)
  })

  it('exits 4 for two checkpoints of a forked log, and prints both', async () => {
    const { code, out } = await cli(mine, theirs, ...terms)
    expect(code).toBe(4)
    expect(out).toContain('FORK: two roots over 3 entries')
    expect(out).toContain(mine)
    expect(out).toContain(theirs)
    const json = JSON.parse((await cli(mine, theirs, ...terms, '--json')).out) as object
    expect(json).toMatchObject({ holds: false, forks: [{ one: { size: 3 }, other: { size: 3 } }] })
  })

  it('A2A-46: exits 4 for a log that was cut', async () => {
    const { code, out } = await cli(mine, '--log', file('cut', text(honest.slice(0, 2))), ...terms)
    expect(code).toBe(4)
    expect(out).toContain('log_truncated')
  })

  it('A2A-46: exits 5 for a log whose last line was cut', async () => {
    expect((await cli('--log', file('torn', text(honest).slice(0, -9)), ...terms)).code).toBe(5)
  })

  it('takes key, origin and lane of a bundle, and finds the fork between the bundles of two participants', async () => {
    const bundle = async (name: string, output: string): Promise<string> => {
      const minted = await mintBundle('software', null, { output: { overlap: output } })
      return file(name, canonicalBytes(minted))
    }
    const [alice, bob] = [await bundle('alice.json', 'YES'), await bundle('bob.json', 'NO')]
    expect((await cli(alice)).code).toBe(0)
    const { code, out } = await cli(alice, bob)
    expect(code).toBe(4)
    expect(out).toContain('FORK')
  })

  it.each([
    ['what a model says that it did', '{"status":"completed","receipt":"signed, I promise"}'],
    ['a talk that nobody recorded', '[{"role":"assistant","content":"I have paid the bill."}]'],
  ])('UAR-21: exits 5 for %s, which proves nothing', async (_, said) => {
    expect((await cli(file('said.json', said), ...terms)).code).toBe(5)
  })

  it.each([
    ['nothing to check', []],
    ['a checkpoint without a key', [mine]],
    ['a lane that there is not', [mine, ...terms, '--lane', 'other']],
    ['a file that is not there', [join(folder, 'missing'), ...terms]],
  ])('exits 1 for %s', async (_, argv) => {
    expect((await cli(...argv)).code).toBe(1)
  })
})
