import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject, parseAuditEntry, parseCanonicalJson } from '@parley/protocol'
import { expect, test } from 'vitest'
import { auditLogOf } from '../../src/audit/log-places.js'
import { openDisk } from '../../src/store/open-relay-store.js'
import { temporaryDirectory } from '../boot.js'

const PROGRAM = fileURLToPath(new URL('killed-relay.ts', import.meta.url))

type Left = {
  readonly signal: NodeJS.Signals | null
  /** The entries of the log after the last input: `effect.` ones with their action. */
  readonly entries: readonly string[]
  readonly isEvaluated: boolean
  readonly isRecorded: boolean
}

/** What a relay left on its disk that was ended at one of its commits. */
const leftBy = async (commit: number, when: 'before' | 'after'): Promise<Left> => {
  const directory = temporaryDirectory()
  const options = ['--conditions=source', '--import', 'tsx', PROGRAM, directory, String(commit), when]
  const child = spawn(process.execPath, options, {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'close')
  const [session, epoch] = JSON.parse(readFileSync(join(directory, 'session'), 'utf8')) as [string, string]
  const disk = await openDisk(join(directory, 'store'))
  const names = Array.from(disk.log(auditLogOf(epoch)), (bytes) => nameOf(bytes))
  const isRecorded = disk.get(`session/${session}`) !== undefined
  await disk.close()
  return {
    signal: child.signalCode,
    entries: names.slice(names.lastIndexOf('input.accepted') + 1),
    isEvaluated: existsSync(join(directory, 'evaluated')),
    isRecorded,
  }
}

const nameOf = (bytes: Uint8Array): string => {
  const opening = parseCanonicalJson(bytes)
  const { event, fields } = parseAuditEntry((isJsonObject(opening) ? opening['entry'] : undefined) ?? null)
  return 'action' in fields ? `${event} ${fields.action}` : event
}

const BEGUN = ['run.started', 'effect.requested infer', 'effect.started infer']
const INFERRED = [...BEGUN, 'effect.completed infer', 'effect.requested release', 'effect.started release']
const ENDED = [...INFERRED, 'session.ended']
const ALL = [...ENDED, 'effect.completed release', 'run.completed']

// Nothing is done without its record, and nothing stands there as done that was not.
test.each([
  [0, 'before', [], false, false],
  [0, 'after', BEGUN, false, false],
  [1, 'before', BEGUN, true, false],
  [2, 'before', INFERRED, true, false],
  [3, 'before', ENDED, true, true],
  [3, 'after', ALL, true, true],
] as const)(
  'UAR-11: a relay that is killed at commit %i, %s it is made, leaves what was done and no more',
  async (commit, when, entries, isEvaluated, isRecorded) => {
    const left = await leftBy(commit, when)
    expect(left).toEqual({ signal: 'SIGKILL', entries, isEvaluated, isRecorded })
  },
  600_000,
)
