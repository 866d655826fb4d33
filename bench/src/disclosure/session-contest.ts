import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stateInMemory } from '@parley/agent'
import type { Lane } from '@parley/protocol'
import type { Candidate, Contest } from '../candidate.js'
import { pairUp } from '../session/confer.js'
import { countText, recordCrypto } from '../session/record-crypto.js'
import { type ChildRelay, startChildRelay } from './child-relay.js'

const AT_A_TIME = 8
const EACH = 2
const SESSIONS = AT_A_TIME * EACH
const WARM_UP_LOADS = 20
/** After a release the relay still asks its processor for a report over the receipts; that belongs to the sessions. */
const REPORT_MS = 100

type Spent = { whole: number; relay: number }

const own = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** CPU time of both processes while something runs so many times. */
async function spent(relay: ChildRelay, times: number, run: () => Promise<void>): Promise<Spent> {
  const before = { own: own(), relay: (await relay.ask('cpu')).microseconds }
  for (let i = 0; i < times; i += 1) await run()
  const theirs = (await relay.ask('cpu')).microseconds - before.relay
  return { whole: own() - before.own + theirs, relay: theirs }
}

/** A candidate that adds up what it took, for the notes. */
function counted(name: string, relay: ChildRelay, run: () => Promise<void>, bar?: Candidate['bar']) {
  const total = { times: 0, relay: 0, wallMs: 0 }
  const cpu = async (times: number): Promise<number> => {
    const began = performance.now()
    const took = await spent(relay, times, run)
    total.wallMs += performance.now() - began
    total.times += times
    total.relay += took.relay
    return took.whole
  }
  return { total, candidate: bar === undefined ? { name, cpu } : { name, cpu, bar } }
}

/** So many sessions at once, each participant beginning the next as one ends. */
const loadOf = (confer: () => Promise<void>) => async (): Promise<void> => {
  const worker = async (): Promise<void> => {
    for (let i = 0; i < EACH; i += 1) await confer()
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  await sleep(REPORT_MS)
}

/**
 * Sessions under load against the sum of their cryptography, relay and participants in processes of their own.
 * @param folder for the relay's store and the participants' files
 */
export async function* sessionContest(lane: Lane, folder: string): AsyncGenerator<Contest> {
  const relay = await startChildRelay(lane, folder)
  try {
    const inMemory = loadOf((await pairUp(relay.met, stateInMemory)).confer)
    const inFiles = loadOf((await pairUp(relay.met, (name) => join(folder, name))).confer)
    for (let done = 0; done < WARM_UP_LOADS; done += 1) await inMemory()
    await inFiles()
    await relay.ask('record')
    const operations = await recordCrypto(inMemory)
    const { cryptography } = await relay.ask('stop')
    const bare = counted('its cryptography, done again bare', relay, async () => {
      for (const { again } of operations) again()
      await relay.ask('again')
    })
    const memory = counted('sessions, participants’ state in memory', relay, inMemory, { atMost: 2.5 })
    const files = counted('sessions, participants’ state in files, flushed', relay, inFiles)
    const share = ({ total }: typeof bare): number => total.relay / total.times / SESSIONS
    yield {
      title: `disclosure, ${lane} lane: CEL sessions, ${AT_A_TIME} at a time; relay and participants in two processes`,
      floor: bare.candidate,
      rivals: [memory.candidate, files.candidate],
      per: SESSIONS,
      notes: () => [
        `relay alone: ${share(memory).toFixed(0)} µs a session, its cryptography ${share(bare).toFixed(0)} µs: ratio ${(share(memory) / share(bare)).toFixed(2)}`,
        ...[memory, files].map(({ candidate, total }) => {
          const seconds = (total.wallMs - total.times * REPORT_MS) / 1000
          return `${((SESSIONS * total.times) / seconds).toFixed(1)} sessions a second of wall clock: ${candidate.name}`
        }),
        `cryptography of the participants, ${SESSIONS} sessions: ${countText(operations, 1)}`,
        `cryptography of the relay, ${SESSIONS} sessions: ${cryptography}`,
      ],
    }
  } finally {
    await relay.stop()
  }
}
