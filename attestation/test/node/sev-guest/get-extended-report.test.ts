import { describe, expect, it } from 'vitest'
import { getExtendedReport } from '../../../src/node/sev-guest/get-extended-report.js'
import { codeOf, genuineInput } from '../../evidence-folder.js'
import { REPORT_DATA } from '../../policies.js'
import { DriverDouble, type DriverOptions } from './driver-double.js'

const { report } = genuineInput('milan-v3-vcek')
const PAGE = 4096

const driver = (pages: number, options: Partial<DriverOptions> = {}): DriverDouble =>
  new DriverDouble({
    report: () => report,
    certificates: new Uint8Array(pages * PAGE).fill(7),
    mostCertificateBytes: 0x20000,
    ...options,
  })

const rooms = ({ asked }: DriverDouble): number[] =>
  asked.map(({ certificateBytes }) => certificateBytes / PAGE)

describe('a report with the certificates of the host', () => {
  it('is asked for once where they fit into what Linux takes', async () => {
    const double = driver(4)
    const { certificateTable } = await getExtendedReport(double, REPORT_DATA, 0)
    expect(certificateTable).toEqual(new Uint8Array(4 * PAGE).fill(7))
    expect(rooms(double)).toEqual([4])
  })

  it('is asked for again with the room that the host wants', async () => {
    const double = driver(5)
    const { certificateTable } = await getExtendedReport(double, REPORT_DATA, 0)
    expect(certificateTable).toHaveLength(5 * PAGE)
    expect(rooms(double)).toEqual([4, 5])
  })

  it('comes with a table of zeros where the host has none', async () => {
    const { certificateTable } = await getExtendedReport(driver(0), REPORT_DATA, 0)
    expect(certificateTable.every((byte) => byte === 0)).toBe(true)
  })

  it('is given up where the host wants more room each time', async () => {
    const double = driver(5)
    const exchange: typeof double.exchange = (asked) => {
      double.options.certificates = new Uint8Array(asked.certificateBytes + 1)
      return double.exchange(asked)
    }
    const greedy = { exchange, close: double.close }
    expect(await codeOf(() => getExtendedReport(greedy, REPORT_DATA, 0))).toBe('host_refused')
    expect(rooms(double)).toEqual([4, 5, 6])
  })

  it('is given up where the host wants more than a table may have', async () => {
    const double = driver(17)
    expect(await codeOf(() => getExtendedReport(double, REPORT_DATA, 0))).toBe('host_refused')
    expect(rooms(double)).toEqual([4])
  })

  it('is given up where the driver takes no more', async () => {
    const double = driver(5, { mostCertificateBytes: 0x4000 })
    expect(await codeOf(() => getExtendedReport(double, REPORT_DATA, 0))).toBe('collector_failed')
  })

  it.each([0, 4 * PAGE, 4 * PAGE + 1, 0xffffffff])(
    'is given up where the host wants %i bytes',
    async (wanted) => {
      const exchange: DriverDouble['exchange'] = ({ request }) => {
        const rewritten = new Uint8Array(request)
        new DataView(rewritten.buffer).setUint32(104, wanted, true)
        const none = new Uint8Array()
        return Promise.resolve({
          errno: 'EIO',
          exitInfo2: 1n << 32n,
          request: rewritten,
          response: none,
          certificates: none,
        })
      }
      const odd = { exchange, close: () => Promise.resolve() }
      expect(await codeOf(() => getExtendedReport(odd, REPORT_DATA, 0))).toBe('host_refused')
    },
  )
})
