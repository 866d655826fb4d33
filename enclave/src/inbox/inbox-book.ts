import { canonicalBytes, type InboxEvent, parseCanonicalJson, parseInboxEvent } from '@parley/protocol'
import type { Clock } from '../clock.js'
import { putLast } from '../put-last.js'
import type { Store, Write } from '../store/store.js'
import { createHeldEnds } from './held-ends.js'
import type { Notice } from './notice.js'

/** The numbered events of every key, in the store. */
export type InboxBook = {
  /**
   * Gives notices their numbers, in one transaction with what they tell of.
   * @param commit commits what it is given. It calls `writes` last of all that may throw, and commits at once.
   */
  readonly posting: <T>(
    notices: readonly Notice[],
    commit: (writes: () => readonly Write[]) => Promise<T>,
  ) => Promise<T>
  /** The newest number that a key may see; 0 where there is none. It may not be on the disk yet. */
  readonly last: (key: string) => number
  /** What a key may see after a number, in order and without a gap; what is kept no more is left out. */
  readonly after: (key: string, seq: number) => Iterable<InboxEvent>
  /**
   * The writes by which nothing is kept for a key, to be committed at once; numbers begin anew. None where there is
   * nothing, and none while an event is on its way to the disk: it would outlive its number.
   */
  readonly forget: (key: string) => readonly Write[]
  /** True once in this process for each key. */
  readonly firstLook: (key: string) => boolean
}

/** Whether the result of a session may be seen. */
export type IsReleased = (sessionId: string) => boolean

/** The events of a key that are kept: older ones make room. */
export const KEPT_EVENTS = 512

// Numbers in memory, of about 100 octets each; the others are found in the store.
const REMEMBERED_KEYS = 65_536

/**
 * An inbox for each key, in records that are written over in turn: what a key may take of the disk is bounded. The end of
 * an evaluation is written with the commit and seen with the release, as all that comes after it.
 */
export function createInboxBook(
  store: Store,
  clock: Pick<Clock, 'nowSeconds'>,
  isReleased: IsReleased,
): InboxBook {
  const newest = new Map<string, number>()
  const held = createHeldEnds(isReleased)
  const looked = new Set<string>()
  const underWay = new Map<string, number>()
  const newestOf = (key: string): number => newest.get(key) ?? lastInStore(store, key)
  const last = (key: string): number => Math.min(newestOf(key), held.before(key))
  const draw = ({ to, ...happened }: Notice): Write => {
    const seq = newestOf(to) + 1
    // The oldest goes first: whoever's event is on its way to the disk was put last.
    putLast(newest, to, seq, REMEMBERED_KEYS)
    if (happened.event === 'ended') held.hold(to, happened.session_id, seq)
    const event: InboxEvent = { seq, ...happened, at: clock.nowSeconds() }
    return { kind: 'put', key: placeOf(to, seq), value: canonicalBytes(event) }
  }
  return {
    posting: async (notices, commit) => {
      for (const { to } of notices) underWay.set(to, (underWay.get(to) ?? 0) + 1)
      try {
        return await commit(() => notices.map(draw))
      } catch (error) {
        // Nothing of it is on the disk, or nobody knows: the store says what the last number is.
        for (const { to, session_id } of notices) {
          newest.delete(to)
          held.drop(to, session_id)
        }
        throw error
      } finally {
        for (const { to } of notices) {
          const left = (underWay.get(to) ?? 1) - 1
          if (left > 0) underWay.set(to, left)
          else underWay.delete(to)
        }
      }
    },
    forget: (key) => {
      const kept = Math.min(Math.max(newestOf(key), lastInStore(store, key)), KEPT_EVENTS)
      if (kept === 0 || underWay.has(key)) return []
      // From here on: whatever is drawn before the commit is number 1, and is written after it.
      putLast(newest, key, 0, REMEMBERED_KEYS)
      return Array.from({ length: kept }, (_, at) => ({
        kind: 'remove',
        key: placeOf(key, at + 1),
      }))
    },
    last,
    after: (key, seq) => eventsBetween(store, key, seq + 1, last(key)),
    firstLook: (key) => {
      if (looked.has(key)) return false
      if (looked.size >= REMEMBERED_KEYS) looked.clear()
      looked.add(key)
      return true
    },
  }
}

const placeOf = (key: string, seq: number): string => `inbox/${key}/${seq % KEPT_EVENTS}`

const readEvent = (store: Store, place: string): InboxEvent | undefined => {
  const bytes = store.get(place)
  return bytes === undefined ? undefined : parseInboxEvent(parseCanonicalJson(bytes))
}

function* eventsBetween(store: Store, key: string, from: number, to: number): Iterable<InboxEvent> {
  let begun = false
  for (let seq = Math.max(from, to - KEPT_EVENTS + 1); seq <= to; seq++) {
    const event = readEvent(store, placeOf(key, seq))
    if (event?.seq === seq) {
      begun = true
      yield event
      // Before the first it was written over already; after it, it is not on the disk yet.
    } else if (begun) return
  }
}

/** Places are filled in order, and from 1 on: the first that is empty ends the search. */
const lastInStore = (store: Store, key: string): number => {
  let last = 0
  for (let seq = 1; seq <= KEPT_EVENTS; seq++) {
    const found = readEvent(store, placeOf(key, seq))
    if (found === undefined) return last
    last = Math.max(last, found.seq)
  }
  return last
}
