import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { A2aEvent } from '@parley/guardian'
import { parseDid, toHex } from '@parley/protocol'
import { run as runVerify } from '@parley/verifier/node'
import { describe, expect, test } from 'vitest'
import { homeLog } from '../../src/audit/home-log.js'
import type { LogName } from '../../src/audit/log-names.js'
import { OwnLog } from '../../src/audit/own-log.js'
import { loadIdentity } from '../../src/index.js'
import { stranger } from '../double/consents.js'
import { freshFolder, testClock } from '../double/stage.js'
import { play } from './terminal.js'

const sent = (task_id: string): A2aEvent => ({
  event: 'A2A.envelope_sent',
  fields: { task_id, endpoint_id: 'bob', ttl_s: 60 },
})
const rejected: A2aEvent = {
  event: 'A2A.request_rejected',
  fields: { task_id: null, origin_id: 'redacted', reason: '6:bad_signature' },
}

/** A home with two tasks sent and one rejected. */
const stage = async () => {
  const home = await freshFolder()
  const did = (await play(['init', '--home', home])).out.trim()
  const append = async (name: LogName, ...events: readonly A2aEvent[]): Promise<void> => {
    const log = homeLog(home, await loadIdentity(join(home, 'identity.json')), name)
    await OwnLog.use(log, testClock(), async (open) => {
      for (const event of events) await open.append(event)
    })
  }
  await append('sent', sent('one'), sent('two'))
  await append('received', rejected)
  const audit = (...argv: readonly string[]) => play(['audit', ...argv, '--home', home])
  const at = (name: string): string => join(home, name)
  return { home, did, append, audit, at, log: at('a2a/sent.audit.log') }
}

describe('parley audit tail', () => {
  test('A2A-52: shows the latest entries, as many as are asked for, and those of a severity', async () => {
    const { audit } = await stage()
    expect((await audit('tail')).out.match(/\n/g)).toHaveLength(3)
    expect((await audit('tail', '-n', '1', 'sent')).out).toMatch(/A2A\.envelope_sent .*"two"/)
    const warnings = JSON.parse(
      (await audit('tail', '--severity', 'warning', '--json')).out,
    ) as readonly object[]
    expect(warnings).toMatchObject([{ log: 'received', entry: { event: 'A2A.request_rejected' } }])
    expect((await audit('tail', '--event', 'effect')).out).toBe('')
  })

  test.each([
    ['another log', ['tail', 'other']],
    ['another severity', ['tail', '--severity', 'loud']],
    ['none at all', ['tail', '-n', '0']],
  ])('exits 1 for %s', async (_, argv) => {
    const { audit } = await stage()
    expect((await audit(...argv)).code).toBe(1)
  })
})

describe('parley audit verify', () => {
  test('exits 0 for logs that hold, also for those that were never written', async () => {
    const { audit } = await stage()
    const { code, out } = await audit('verify')
    expect(code).toBe(0)
    for (const name of ['own', 'received', 'sent']) expect(out).toContain(`${name}: holds`)
  })

  test('A2A-46: finds an edit, a removal, an insertion, and a truncation', async () => {
    const { audit, at, log } = await stage()
    await audit('prove', 'sent', '--out', at('checkpoint'))
    const text = await readFile(log, 'utf8')
    const [first = '', second = ''] = text.split('\n')
    for (const changed of [text.replace('one', 'eno'), `${second}\n`, `${first}\n${first}\n${second}\n`]) {
      await writeFile(log, changed)
      expect((await audit('verify', 'sent')).code).toBe(4)
    }
    await writeFile(log, `${first}\n`)
    const { code, out } = await audit('verify', 'sent')
    expect(code).toBe(4)
    expect(out).toContain('log_truncated')
    // Somebody who takes away the log’s own checkpoint is found out by that, or by one that is held elsewhere.
    await rm(`${log}.checkpoint`)
    expect((await audit('verify', 'sent')).code).toBe(5)
    await rm(log)
    expect((await audit('verify', 'sent')).code).toBe(0)
    expect((await audit('verify', 'sent', '--held', at('checkpoint'))).code).toBe(4)
  })

  test('exits 5 for a line that is no record', async () => {
    const { audit, log } = await stage()
    await appendFile(log, 'x\n')
    expect((await audit('verify')).code).toBe(5)
  })

  test('exits 1 where it is not said which log a checkpoint is of', async () => {
    const { audit, at } = await stage()
    await audit('prove', 'sent', '--out', at('checkpoint'))
    expect((await audit('verify', '--held', at('checkpoint'))).code).toBe(1)
  })
})

describe('parley audit prove', () => {
  test('makes checkpoints and proofs that parley-verify audit holds against the key, without the log', async () => {
    const { audit, at, append, did } = await stage()
    await audit('prove', 'sent', '--out', at('first'))
    await append('sent', sent('three'))
    await audit('prove', 'sent', '--entry', '1', '--out', at('entry.json'))
    await audit('prove', 'sent', '--since', at('first'), '--out', at('growth.json'))
    await writeFile(at('key'), toHex(parseDid(did).publicKey))
    const terms = ['--key', at('key'), '--origin', `${did}/sent`, '--lane', 'software']
    const io = { out: () => undefined, err: () => undefined, now: 0 }
    const files = [at('first'), at('entry.json'), at('growth.json')]
    expect(await runVerify(['audit', ...files, ...terms], io)).toBe(0)
    await writeFile(at('entry.json'), (await readFile(at('entry.json'), 'utf8')).replace('"two"', '"owt"'))
    expect(await runVerify(['audit', ...files, ...terms], io)).toBe(4)
  })

  test('a log that was written anew proves no growth', async () => {
    const { audit, at, append, log } = await stage()
    await audit('prove', 'sent', '--out', at('first'))
    for (const path of [log, `${log}.checkpoint`]) await rm(path)
    await append('sent', sent('x'), sent('y'), sent('z'))
    expect((await audit('prove', 'sent', '--since', at('first'))).code).toBe(5)
    await audit('prove', 'sent', '--out', at('second'))
    expect((await audit('verify', 'sent', '--held', at('first'), at('second'))).code).toBe(4)
  })

  test.each([
    ['an entry that there is not', ['--entry', '9']],
    ['two proofs at once', ['--entry', '0', '--since', 'x']],
    ['a checkpoint that is not there', ['--since', '/nonexistent']],
  ])('exits 1 for %s', async (_, argv) => {
    const { audit } = await stage()
    expect((await audit('prove', 'sent', ...argv)).code).toBe(1)
  })
})

describe('parley erasure', () => {
  test('A2A-49: erases the consents that a subject gave, says so, and is then SKIPPED', async () => {
    const { home, did, audit } = await stage()
    const giver = await freshFolder()
    const subject = (await play(['init', '--home', giver])).out.trim()
    const consent = join(giver, 'consent.json')
    const terms = ['--to', stranger.did, '--at', did, '--purpose', 'billing']
    await play(['consent', 'grant', ...terms, '--out', consent, '--home', giver])
    await play(['consent', 'import', consent, '--home', home])
    const erase = (...argv: readonly string[]) => play(['erasure', ...argv, '--home', home])
    expect(await erase('did:oas:self:agent')).toMatchObject({ code: 0, out: 'SKIPPED\n' })
    expect(await erase(subject)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^APPLIED 1\n/) as string,
    })
    expect((await play(['consent', 'show', '--home', home])).out).not.toContain(subject)
    expect((await audit('tail', 'own')).out).toContain('erasure.applied')
    expect((await audit('verify')).code).toBe(0)
    expect(await erase(subject)).toMatchObject({ code: 0, out: 'SKIPPED\n' })
  })
})
