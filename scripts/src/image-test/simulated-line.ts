import { createServer, type Socket } from 'node:net'
import { encodeCertificateTable, TABLE_GUID } from '@parley/attestation'
import type { SimulatedProcessor } from '../processor/index.js'

const REPORT_DATA_BYTES = 64
/** Before each request, for firmware prints on this line too. */
const MARK = Buffer.from('\x01parley-report-data\x02', 'latin1')

/** The simulated processor at the other end of the test module's serial line. */
export type SimulatedLine = { readonly answered: () => number; readonly close: () => Promise<void> }

/** Listens at a socket for the one machine that it is the processor of. */
export function openSimulatedLine(path: string, processor: SimulatedProcessor): Promise<SimulatedLine> {
  let answered = 0
  const serve = (line: Socket): void => {
    let waiting: Buffer = Buffer.alloc(0)
    line.on('error', () => line.destroy())
    line.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk])
      for (let asked = takeRequest(waiting); asked !== null; asked = takeRequest(waiting)) {
        waiting = asked.rest
        answered += 1
        line.write(answer(processor, asked.reportData))
      }
    })
  }
  const server = createServer(serve)
  return new Promise((resolve) => {
    server.listen(path, () => {
      resolve({
        answered: () => answered,
        close: () =>
          new Promise((closed) => {
            server.close(() => {
              closed()
            })
          }),
      })
    })
  })
}

/** The first request in what came, and what is behind it; null as long as there is none in full. */
function takeRequest(bytes: Buffer): { readonly reportData: Buffer; readonly rest: Buffer } | null {
  const at = bytes.indexOf(MARK)
  const end = at + MARK.length + REPORT_DATA_BYTES
  if (at < 0 || bytes.length < end) return null
  return { reportData: bytes.subarray(at + MARK.length, end), rest: bytes.subarray(end) }
}

/** Two lengths, the report, the certificates as a host hands them over. */
function answer(processor: SimulatedProcessor, reportData: Uint8Array): Buffer {
  const report = processor.attest({ reportData: new Uint8Array(reportData) })
  const names = [TABLE_GUID.vcek, TABLE_GUID.ask, TABLE_GUID.ark]
  const table = encodeCertificateTable(
    processor.certificates.map((data, at) => ({ guid: names[at] ?? '', data })),
  )
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(report.length, 0)
  lengths.writeUInt32LE(table.length, 4)
  return Buffer.concat([lengths, report, table])
}
