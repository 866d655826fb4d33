import type { Contest } from '../candidate.js'
import { inBothLanes } from '../session/in-both-lanes.js'
import { guardianContests } from './guardian-contests.js'
import { sessionContest } from './session-contest.js'

/** Bounded disclosure: sessions under load in both lanes, capacity counting and guardian by contract size. */
export async function* benchDisclosure(): AsyncGenerator<Contest> {
  yield* guardianContests()
  yield* inBothLanes(sessionContest)
}
