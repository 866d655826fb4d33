import { startBenchRelay } from '../session/bench-relay.js'
import { countText, type Operation, recordCrypto } from '../session/record-crypto.js'
import type { RelayTold } from './child-relay.js'

// A relay in a process of its own: `relay-main.js LANE FOLDER`. Says where it is; whenever it is asked, does one thing
// and says how much CPU time the process has used so far.

const [, , lane, folder = ''] = process.argv
if (lane !== 'software' && lane !== 'confidential') throw new Error('no such lane')
const { relay, trust } = await startBenchRelay(lane, folder)

let operations: readonly Operation[] = []
let stopRecording: () => void = () => undefined
let recorded: Promise<void> = Promise.resolve()

const JOBS: Readonly<Record<string, () => Promise<void> | void>> = {
  cpu: () => undefined,
  record: () => {
    const stopped = new Promise<void>((resolve) => {
      stopRecording = resolve
    })
    recorded = recordCrypto(() => stopped).then((found) => void (operations = found))
  },
  stop: async () => {
    stopRecording()
    await recorded
  },
  again: () => {
    for (const { again } of operations) again()
  },
}

const tell = (): void => {
  const { user, system } = process.cpuUsage()
  const cryptography = countText(operations, 1)
  const told: RelayTold = { url: relay.url, trust, microseconds: user + system, cryptography }
  process.send?.(told)
}

process.on('message', (job) => void Promise.resolve(JOBS[String(job)]?.()).then(tell))
process.once('disconnect', () => void relay.close().then(() => process.exit()))
tell()
