import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from '@parley/protocol'
import { type Contest, inProcess } from '../candidate.js'
import { startBareExchanges } from './bare-exchanges.js'
import { startBenchRelay } from './bench-relay.js'
import { pairUp } from './confer.js'
import { inBothLanes } from './in-both-lanes.js'
import { countText, recordCrypto } from './record-crypto.js'
import { recordExchanges } from './record-exchanges.js'

const AT_A_TIME = 2
const WARM_UP_BATCHES = 10
/** After a release the relay still asks its processor for a report over the receipts; that belongs to the sessions. */
const REPORT_MS = 150

const WHOLE = 'whole sessions'

async function* oneLane(lane: Lane, folder: string): AsyncGenerator<Contest> {
  const bench = await startBenchRelay(lane, folder)
  try {
    const { confer } = await pairUp({ url: bench.relay.url, trust: bench.trust }, (name) =>
      join(folder, name),
    )
    const batch = async (): Promise<void> => {
      await Promise.all(Array.from({ length: AT_A_TIME }, confer))
      await sleep(REPORT_MS)
    }
    for (let done = 0; done < WARM_UP_BATCHES; done += 1) await batch()
    const operations = await recordCrypto(batch)
    const exchanges = await recordExchanges(batch)
    const bare = await startBareExchanges(exchanges)
    try {
      yield {
        title: `session, ${lane} lane: relay and both participants in this process, over HTTP on loopback`,
        floor: inProcess('its cryptography, done again bare', () => {
          for (const { again } of operations) again()
        }),
        rivals: [inProcess('its HTTP exchanges, made again bare', bare.repeat), inProcess(WHOLE, batch)],
        per: AT_A_TIME,
        notes: (microseconds) => [
          `cryptography of one: ${countText(operations, AT_A_TIME)}`,
          `HTTP of one: ${(exchanges.length / AT_A_TIME).toFixed(1)} exchanges`,
          `${(1e6 / (microseconds.get(WHOLE) ?? Number.NaN)).toFixed(1)} sessions a second and core, participants included`,
        ],
      }
    } finally {
      bare.stop()
    }
  } finally {
    await bench.relay.close()
  }
}

/** Sessions from create to release against the sum of their cryptography, in both lanes. */
export const benchSession = (): AsyncGenerator<Contest> => inBothLanes(oneLane)
