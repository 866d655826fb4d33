import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../src/index.js'
import { register, seal, seen, startEcho, startTestProxy } from './replica.js'

test('a sighting holds what was seen of a request and nothing of what it held', async () => {
  const { proxy, sightings } = await startTestProxy({ tick_ms: 1000 })
  const replica = await startEcho(Buffer.from('CANARY-ANSWER'.repeat(1000)))
  await register(proxy, 67, replica.url)
  await (await seal(proxy, 'CANARY-REQUEST', { 'x-canary': 'CANARY-HEADER' })).text()
  await seen(sightings, 1)
  expect(sightings).toEqual([
    {
      tick: 1_700_000_000_000,
      route: 'ohttp',
      key_id: 67,
      request_class: 4096,
      response_class: 16_384,
      status: 200,
    },
  ])
})

test('a request off the list is seen as other, without its path', async () => {
  const { proxy, sightings } = await startTestProxy()
  await fetch(`${proxy.url}/CANARY?CANARY`)
  await seen(sightings, 1)
  expect(sightings[0]).toMatchObject({ route: 'other', key_id: null, request_class: 0, status: 400 })
  expect(JSON.stringify(sightings)).not.toContain('CANARY')
})

test('a log file gets one JSON line a sighting and is its owner’s alone', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'proxy-log-')), 'log')
  const { log, close } = openLog(path)
  const sighting = {
    tick: 0,
    route: 'health',
    key_id: null,
    request_class: 0,
    response_class: 4096,
    status: 200,
  } as const
  log(sighting)
  log(sighting)
  await close()
  // Past the moment at which the lines would have been written: nothing is written after the end.
  await new Promise((resolve) => setTimeout(resolve, 80))
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([sighting, sighting])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
