import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contest } from '../candidate.js'
import { guardianContests } from './guardian-contests.js'
import { sessionContest } from './session-contest.js'

/** Bounded disclosure: sessions under load in both lanes, capacity counting and guardian by contract size. */
export async function* benchDisclosure(): AsyncGenerator<Contest> {
  yield* guardianContests()
  for (const lane of ['software', 'confidential'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
    try {
      yield* sessionContest(lane, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
