import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { attach, type Attachment, checkAttachments } from '@parley/guardian'
import { fromUtf8, utf8 } from '@parley/protocol'
import { expect, test } from 'vitest'
import { commandWorker } from '../../src/a2a/command-worker.js'
import { systemReceiverClock } from '../../src/a2a/receiver-clock.js'
import type { Worker } from '../../src/a2a/worker.js'
import { answerOf, bodyOf, pairUp, postRaw, serving, stillClock, taskOf } from './double/peers.js'

const node = (script: string): Worker =>
  commandWorker({ program: process.execPath, args: ['-e', script], path: '/usr/bin:/bin', most: 'INTERNAL' })

const OUT = {
  type: 'object',
  properties: { verdict: {}, seen: {} },
  attachments_out_allowed: ['result.txt', 'second.txt'],
}

const ask = async (engine: Worker, attachments: Attachment[] = [], result_schema: object = OUT) => {
  const pair = await pairUp({ allow_read_files: true })
  const now = Math.floor(systemReceiverClock.nowMs() / 1000)
  const task = taskOf(pair, { attachments, result_schema: { ...result_schema }, issued_at: now, ttl_s: 300 })
  const answer = await serving(pair, { worker: engine, clock: systemReceiverClock }, async ({ url }) =>
    answerOf(await postRaw(url, bodyOf(task))),
  )
  expect(await readdir(pair.receiver.paths.scratch).catch(() => [])).toEqual([])
  return answer
}

const filesOf = (attachments: unknown): Record<string, string> => {
  const opened = checkAttachments(attachments as Attachment[])
  if (!opened.ok) throw new Error(opened.reason)
  return Object.fromEntries(opened.value.map(({ name, bytes }) => [name, fromUtf8(bytes)]))
}

test('A2A-40, A2A-43: a command gets instruction and files, and what it was asked for goes back', async () => {
  const data = attach({ name: 'data.csv', mime: 'text/csv', bytes: utf8('a,b') })
  const answer = await ask(
    node(`
      const fs = require('node:fs')
      const said = fs.readFileSync(0, 'utf8')
      fs.writeFileSync('out/result.txt', fs.readFileSync('in/data.csv', 'utf8').toUpperCase())
      fs.writeFileSync('out/other.txt', 'not asked for')
      const { rights } = JSON.parse(fs.readFileSync('task.json', 'utf8'))
      const mode = (fs.statSync('.').mode & 0o777).toString(8)
      const seen = [said.includes('\\nCompare the two figures.\\n</a2a_instruction>'), rights.read_files, rights.bash, mode]
      console.log('Here it is: ' + JSON.stringify({ verdict: 'yes', seen: seen.join(), more: 1 }) + ' Bye.')
    `),
    [data],
    { ...OUT, properties: { verdict: {}, seen: {} } },
  )
  expect(answer).toMatchObject({ status: 'ok', data: { verdict: 'yes', seen: 'true,true,false,700' } })
  expect(answer['data']).not.toHaveProperty('more')
  expect(filesOf(answer['attachments'])).toEqual({ 'result.txt': 'A,B' })
})

test('A2A-47: a command finds nothing of this process in its environment but PATH', async () => {
  process.env['PARLEY_TEST_SECRET'] = 'canary'
  try {
    const answer = await ask(
      node('console.log(JSON.stringify({ seen: Object.keys(process.env).sort().join() }))'),
    )
    expect(answer).toMatchObject({ data: { seen: 'HOME,PATH,TMPDIR' } })
  } finally {
    delete process.env['PARLEY_TEST_SECRET']
  }
})

test('A2A-43: no file goes that was not asked for by name', async () => {
  const answer = await ask(node(`require('node:fs').writeFileSync('out/result.txt', 'x')`), [], {
    properties: {},
  })
  expect(answer).toMatchObject({ status: 'filtered', attachments: [] })
})

test.each([
  ['a link out of the folder', `fs.symlinkSync('/etc/hostname', 'out/result.txt')`],
  ['a second name of another file', `fs.linkSync('task.json', 'out/result.txt')`],
  ['a folder', `fs.mkdirSync('out/result.txt')`],
  ['a pipe', `require('node:child_process').execFileSync('mkfifo', ['out/result.txt'])`],
  ['too large', `fs.writeFileSync('out/result.txt', Buffer.alloc(1048577))`],
  [
    'too large together',
    `for (const name of ['result.txt', 'second.txt']) fs.writeFileSync('out/' + name, Buffer.alloc(600000))`,
  ],
])('A2A-43: a file that is %s does not go', async (_, script) => {
  expect(await ask(node(`const fs = require('node:fs'); ${script}`))).toMatchObject({
    status: 'filtered',
    attachments: [],
  })
})

test.each([
  ['fails', `console.log('{"verdict":"yes"}'); process.exit(3)`],
  ['is killed', `console.log('{"verdict":"yes"}'); process.kill(process.pid, 'SIGKILL')`],
  ['prints too much', `process.stdout.write('{"verdict":"' + 'a'.repeat(300000) + '"}')`],
  ['prints nothing', ''],
])('UAR-16: a command that %s has given no answer', async (_, script) => {
  expect(await ask(node(script))).toMatchObject({ status: 'filtered', data: {}, attachments: [] })
})

test('a command that is not there has given no answer', async () => {
  const none = commandWorker({ program: '/nowhere/at/all', args: [], path: '', most: 'INTERNAL' })
  expect(await ask(none)).toMatchObject({ status: 'filtered', data: {} })
})

test('A2A-19, A2A-40: a command is ended with all that it started when the life of its task is over', async () => {
  const pair = await pairUp()
  const pidFile = `${pair.receiver.home}/pids`
  const engine = node(`
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' })
    require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, process.pid + ' ' + child.pid)
    setInterval(() => 0, 1000)
  `)
  const clock = stillClock()
  // Two seconds are left: enough to start in, and if not, it is ended before it has started.
  clock.ms += 58_000
  await serving(pair, { worker: engine, clock }, async ({ url }) => {
    expect(answerOf(await postRaw(url, bodyOf(taskOf(pair))))).toMatchObject({ status: 'timeout', data: {} })
  })
  const pids = (await readFile(pidFile, 'utf8').catch(() => '')).split(' ').filter((pid) => pid !== '')
  for (const pid of pids) await expect.poll(() => isAlive(Number(pid)), { timeout: 60_000 }).toBe(false)
  expect(await readdir(pair.receiver.paths.scratch).catch(() => [])).toEqual([])
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // Ended, but not yet waited for by whoever adopted it.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
