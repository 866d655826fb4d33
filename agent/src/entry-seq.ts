import type { Clock } from './clock.js'

let latest = 0

/**
 * The number of a request to a session of which there is no file yet. The clock makes it grow from one run to the next:
 * a join that was refused may be tried again.
 */
export const entrySeq = ({ nowMs }: Clock): number => (latest = Math.max(latest + 1, nowMs()))
