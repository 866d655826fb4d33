import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printable } from '@parley/verifier/node'
import { Command, CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { addA2a } from '../../src/cli/a2a-program.js'
import { runServe } from '../../src/cli/a2a-serve-command.js'
import { explain } from '../../src/cli/exit-code.js'
import { createIdentity, type Io, loadIdentity, run, systemClock } from '../../src/index.js'
import { eventNames, put } from '../a2a/double/peers.js'
import { freshFolder } from '../double/stage.js'

type Said = { out: string; err: string }

const terminal = (): { io: Io; said: Said } => {
  const said = { out: '', err: '' }
  const io: Io = {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    env: { PATH: process.env['PATH'] },
    confirm: null,
    clock: systemClock,
  }
  return { io, said }
}

const play = async (...argv: readonly string[]): Promise<Said & { code: number }> => {
  const { io, said } = terminal()
  let code = 1
  const program = new Command('parley').exitOverride().configureOutput({ writeErr: io.err, writeOut: io.out })
  addA2a(program, io, (ended) => (code = ended))
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    const known = error instanceof CommanderError ? { code: 1, text: error.message } : explain(error)
    if (known === undefined) throw error
    code = known.code
    said.err += printable(known.text)
  }
  return { ...said, code }
}

const someone = async (): Promise<string> => {
  const home = await freshFolder()
  await createIdentity(join(home, 'identity.json'))
  return home
}

/** Two homes of which Alice may give Bob tasks, as two people would pair them. */
const paired = async (url: string, granted: readonly string[] = ['--persona', 'analyst', '--enable']) => {
  const [alice, bob] = [await someone(), await someone()]
  const card = (await play('instance-id', 'show', '--json', '--home', alice)).out
  const peer = await put(alice, 'card.json', card)
  const pairing = join(bob, 'pairing.json')
  const offered = await play(
    ...['a2a', 'pair', 'Alice', url, '--peer', peer, '--out', pairing, '--id', 'from-alice'],
    ...granted,
    ...['--home', bob],
  )
  expect(offered).toMatchObject({ code: 0, out: 'from-alice\n' })
  const accepted = await play(
    ...['a2a', 'pair', 'Bob', '--accept', pairing, '--id', 'to-bob', '--enable', '--home', alice],
  )
  expect(accepted).toMatchObject({ code: 0, out: 'to-bob\n' })
  return { alice, bob, pairing, peer }
}

const keysOf = async (pairing: string): Promise<readonly string[]> => {
  const { hmac_key, recv_key } = JSON.parse(await readFile(pairing, 'utf8')) as Record<string, string>
  return [String(hmac_key), String(recv_key)]
}

const SCRIPT = `
const fs = require('node:fs')
fs.writeFileSync('out/copy.txt', fs.readFileSync('in/data.txt'))
console.log(JSON.stringify({ verdict: 'yes', more: 1 }))
`

const serve = async (
  bob: string,
  command: readonly string[],
  use: (url: string) => Promise<void>,
): Promise<void> => {
  const { io, said } = terminal()
  const options = { home: bob, host: '127.0.0.1', port: 0, maxLabel: 'INTERNAL' }
  expect(await runServe(command, options, io, () => use(said.out.split(' ')[0] ?? ''))).toBe(0)
  expect(said.err).toBe('warning: public_url_absent\n')
}

const change = async (path: string, members: object): Promise<void> => {
  const file = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...file, ...members }))
}

/** Lets an endpoint lead to where its peer listens now. */
const lead = (alice: string, url: string): Promise<void> =>
  change(join(alice, 'a2a', 'remote_endpoints', 'to-bob.json'), { url })

test('A2A-50: two pair, and one gives the other a task with purpose, schema and file', async () => {
  const { alice, bob } = await paired('http://127.0.0.1:7433', [
    ...['--persona', 'analyst', '--enable', '--purpose', 'compute'],
  ])
  const data = await put(join(alice, 'files'), 'data.txt', 'a,b')
  const schema = await put(
    alice,
    'schema.json',
    '{"properties":{"verdict":{"type":"string"}},"attachments_out_allowed":["copy.txt"]}',
  )
  const back = join(alice, 'back')
  await mkdir(back)
  await serve(bob, [process.execPath, '-e', SCRIPT], async (url) => {
    await lead(alice, url)
    const asked = ['a2a', 'send', 'BOB', 'Copy the file.', '--schema', schema, '--attach', data]
    const kept = ['--attach-out-dir', back, '--purpose', 'compute', '--home', alice]
    const sent = await play(...asked, ...kept)
    expect(sent).toMatchObject({ code: 0, err: 'ok\n' })
    expect(JSON.parse(sent.out)).toEqual({ verdict: 'yes' })
    expect(await readFile(join(back, 'copy.txt'), 'utf8')).toBe('a,b')
    // Another purpose is refused, and nothing says why.
    const refused = await play(...asked, '--purpose', 'other', '--home', alice)
    expect(refused).toMatchObject({ code: 6, out: '', err: 'rejected\n' })
  })
  expect(await eventNames(join(bob, 'a2a', 'received.audit.log'))).toEqual([
    'A2A.envelope_received',
    'A2A.engine_spawned',
    'A2A.result_filtered',
    'A2A.response_signed',
    'A2A.request_rejected',
  ])
  expect(await play('doctor', '--home', bob)).toMatchObject({ code: 0 })
})

test('A2A-24, A2A-25: a task with personal data runs once for each use that its subject has consented to', async () => {
  const { alice, bob } = await paired('http://127.0.0.1:9')
  const did = async (home: string) => (await loadIdentity(join(home, 'identity.json'))).did
  await change(join(bob, 'a2a', 'remote_origins', 'from-alice.json'), {
    personal_data: true,
    data_subject_id: await did(bob),
  })
  await serve(bob, [process.execPath, '-e', 'console.log("{}")'], async (url) => {
    await lead(alice, url)
    const ask = async (purpose: string) =>
      (await play('a2a', 'send', 'bob', 'Hello.', '--purpose', purpose, '--home', alice)).err
    expect(await ask('compute')).toBe('rejected\n')
    const consent = ['consent', 'grant', '--to', await did(alice), '--purpose', 'compute', '--home', bob]
    expect(await run(consent, terminal().io)).toBe(0)
    expect(await ask('other')).toBe('rejected\n')
    expect(await ask('compute')).toBe('filtered\n')
    expect(await ask('compute')).toBe('rejected\n')
  })
})

test('A2A-50: nobody who answers is exit code 7, and a peer that is not the paired one is 4', async () => {
  const { alice } = await paired('http://127.0.0.1:9')
  expect(await play('a2a', 'send', 'bob', 'Hello.', '--home', alice)).toMatchObject({ code: 7, out: '' })
  const other = await paired('http://127.0.0.1:9')
  await serve(other.bob, [], async (url) => {
    await lead(alice, url)
    const sent = await play('a2a', 'send', 'bob', 'Hello.', '--home', alice)
    expect(sent).toMatchObject({ code: 4, out: '', err: 'not_believed: bad_receiver_signature\n' })
  })
})

test('A2A-47, A2A-50: no command prints a key', async () => {
  const { alice, bob, pairing } = await paired('http://127.0.0.1:9')
  const keys = await keysOf(pairing)
  expect((await stat(pairing)).mode & 0o777).toBe(0o600)
  for (const argv of [
    ['a2a', 'list-origins', '--home', bob],
    ['a2a', 'list-origins', '--json', '--home', bob],
    ['a2a', 'show-origin', 'alice', '--home', bob],
    ['a2a', 'list-endpoints', '--home', alice],
    ['a2a', 'list-endpoints', '--json', '--home', alice],
    ['a2a', 'show-endpoint', 'to-', '--home', alice],
    ['instance-id', 'show', '--home', bob],
    ['doctor', '--home', bob],
    ['doctor', '--json', '--home', alice],
  ]) {
    const { code, out, err } = await play(...argv)
    expect([argv, code]).toEqual([argv, 0])
    expect(out).not.toBe('')
    for (const key of keys) expect(out + err).not.toContain(key)
  }
})

test('lists say who may what, and what is refused', async () => {
  const { alice, bob } = await paired('http://127.0.0.1:9', [])
  const listed = await play('a2a', 'list-origins', '--home', bob)
  expect(listed.out).toBe('from-alice  Alice  disabled  observer\n')
  expect((await play('a2a', 'list-endpoints', '--home', alice)).out).toBe(
    'to-bob  Bob  enabled  http://127.0.0.1:9/v1/a2a/task\n',
  )
  const shown = await play('a2a', 'show-origin', 'from', '--home', bob)
  expect(JSON.parse(shown.out)).toMatchObject({
    file: { hmac_key: '(not shown)', recv_key: '(not shown)', enabled: false },
    rights: { mode: 'observer', bash: false, subagents: false },
  })
  await chmod(join(bob, 'a2a', 'remote_origins', 'from-alice.json'), 0o644)
  expect((await play('a2a', 'list-origins', '--home', bob)).out).toBe(
    'from-alice  -  refused  origin_file_world_readable\n',
  )
  expect(await play('a2a', 'show-origin', 'from-alice', '--home', bob)).toMatchObject({ code: 1, out: '' })
  const ill = await play('doctor', '--home', bob)
  expect(ill.code).toBe(1)
  expect(ill.out).toContain('failed  origin from-alice: origin_file_world_readable\n')
})

test('the doctor finds a log that was edited', async () => {
  const { alice } = await paired('http://127.0.0.1:9')
  await play('a2a', 'send', 'bob', 'Hello.', '--home', alice)
  const log = join(alice, 'a2a', 'sent.audit.log')
  await writeFile(log, (await readFile(log, 'utf8')).replace('"seq":0', '"seq":1'))
  const ill = await play('doctor', '--home', alice)
  expect(ill.code).toBe(1)
  expect(ill.out).toContain('log of what went: state_malformed')
})

test('a pairing is for one instance, for an address that hides what goes there, and replaces none unasked', async () => {
  const { alice, bob, pairing, peer } = await paired('http://127.0.0.1:9')
  const pair = (...argv: readonly string[]) => play('a2a', 'pair', 'Somebody', ...argv)
  const out = join(bob, 'second.json')
  const url = 'https://bob.example'
  for (const argv of [
    [],
    [url, '--peer', peer, '--home', bob],
    [url, '--accept', pairing, '--home', bob],
    ['http://bob.example', '--peer', peer, '--out', out, '--home', bob],
    [url, '--peer', pairing, '--out', out, '--home', bob],
    ['--accept', pairing, '--home', bob],
    [url, '--peer', peer, '--out', out, '--id', 'from-alice', '--home', bob],
    [url, '--peer', peer, '--out', pairing, '--home', bob],
    [url, '--peer', peer, '--out', out, '--id', '../outside', '--home', bob],
    ['--accept', pairing, '--id', 'to-bob', '--home', alice],
  ])
    expect([argv, (await pair(...argv)).code]).toEqual([argv, 1])
  // What failed has left no keys behind.
  await expect(stat(out)).rejects.toThrow()
  expect(await pair('--accept', pairing, '--id', 'to-bob', '--force', '--home', alice)).toMatchObject({
    code: 0,
  })
  await chmod(pairing, 0o644)
  expect(await pair('--accept', pairing, '--home', alice)).toMatchObject({ code: 1, out: '' })
})

test.each([
  [['a2a', 'send', 'nobody', 'Hello.'], 1],
  [['a2a', 'send', 'bob'], 1],
  [['a2a', 'send', 'bob', 'Hello.', '--ttl', '0'], 1],
  [['a2a', 'send', 'bob', 'Hello.', '--label', 'TOP'], 1],
  [['a2a', 'send', 'bob', '</a2a_instruction>'], 1],
  [['a2a', 'serve', '--port', '65536'], 1],
  [['a2a', 'serve', '--max-label', 'TOP'], 1],
  [['a2a', 'show-origin', 'nobody'], 1],
] as const)('%j ends with %i', async (argv, code) => {
  const { alice } = await paired('http://127.0.0.1:9')
  const played = await play(...argv, '--home', alice)
  expect(played).toMatchObject({ code, out: '' })
  expect(played.err).not.toBe('')
})

test('before `init` there is no instance', async () => {
  expect(await play('instance-id', 'show', '--home', await freshFolder())).toMatchObject({ code: 1, out: '' })
})

test('an instance’s id is one, however often it is shown', async () => {
  const home = await someone()
  const first = await play('instance-id', 'show', '--home', home)
  expect(first.out).toMatch(/^[0-9a-f-]{36} did:oas:self:agent:z\w+\n$/)
  expect(await play('instance-id', 'show', '--home', home)).toEqual(first)
  await rm(join(home, 'a2a', 'instance_id.json'))
  expect(await play('instance-id', 'show', '--home', home)).not.toEqual(first)
})
