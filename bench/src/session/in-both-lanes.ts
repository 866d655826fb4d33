import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Lane } from '@parley/protocol'
import type { Contest } from '../candidate.js'

/** The contests of one lane, whose relay and participants keep their files in a folder. */
export type OneLane = (lane: Lane, folder: string) => AsyncIterable<Contest>

/** The same contests in both lanes, each with a folder that is gone when they are over. */
export async function* inBothLanes(contests: OneLane): AsyncGenerator<Contest> {
  for (const lane of ['software', 'confidential'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
    try {
      yield* contests(lane, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
