import { describe, expect, it } from 'vitest'
import type { EndedSession, LiveSession } from '../../src/session/session.js'
import { createSessionTable, type SessionTable } from '../../src/session/session-table.js'
import { createAdmission } from '../../src/session/agreement.js'
import { fakeClock } from '../fake-clock.js'
import { memoryStore } from './memory-store.js'
import { CONTRACT, LIMITS, testRelay } from './test-relay.js'

const admitted = createAdmission(testRelay().deps)(CONTRACT)
if ('refused' in admitted) throw new Error(admitted.refused)
const agreement = admitted

const live = (id: string): LiveSession => ({
  kind: 'live',
  id,
  state: 'CREATED',
  agreement,
  openJoin: true,
  seats: [
    {
      role: 'initiator',
      participantId: 'buyer',
      did: 'did:oas:self:agent:zA',
      claim: null,
      consent: null,
      submission: null,
    },
    { role: 'responder', participantId: 'seller', did: null, claim: null, consent: null, submission: null },
  ],
  offered: null,
  createdAt: 1,
  joinBy: 1,
  expiresAt: 1,
  deadlineMs: 1,
  joinByMs: 1,
  commitFailed: false,
})

const ended = (id: string, releaseAtMs: number): EndedSession => ({
  kind: 'ended',
  id,
  state: 'ABORTED',
  abortClass: 'EXPIRED',
  seats: [
    { role: 'initiator', did: 'did:oas:self:agent:zA', commitment: null },
    { role: 'responder', did: null, commitment: null },
  ],
  offerDigest: null,
  heads: null,
  releaseAtMs,
  releaseBytes: 4096,
})

const fill = (table: SessionTable, releaseAtMs: number, names: readonly string[]): void => {
  for (const name of names) table.add(live(name)).current = ended(name, releaseAtMs)
}

const kept = (table: SessionTable, names: readonly string[]): string[] =>
  names.filter((name) => table.find(name) !== undefined)

describe('the table of sessions', () => {
  const names = ['1', '2', '3', '4', '5', '6', '7', '8']
  const bounds = { ...LIMITS, sessions: 2, sessions_per_participant: 2 }

  it('keeps a bounded number of ended sessions, the latest ones', () => {
    const table = createSessionTable(memoryStore(), fakeClock(), bounds)
    fill(table, 0, names)
    const left = kept(table, names)
    expect(left.length).toBeLessThanOrEqual(4)
    expect(left.at(-1)).toBe('8')
  })

  it('lets go of no session that is live, and of none whose result may not be seen yet', () => {
    const table = createSessionTable(memoryStore(), fakeClock(), bounds)
    const running = table.add(live('running'))
    fill(table, 1000, names)
    expect(kept(table, names)).toEqual(names)
    expect(table.live()).toEqual([running])
  })

  it('knows nothing of a session that was neither opened nor ended', () => {
    expect(createSessionTable(memoryStore(), fakeClock(), bounds).find('f'.repeat(64))).toBeUndefined()
  })
})
