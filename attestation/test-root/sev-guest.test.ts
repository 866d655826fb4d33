import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeGenuine } from '../src/index.js'
import { chooseCollector, deriveKey } from '../src/node/index.js'
import { openSevGuest } from '../src/node/sev-guest/open-sev-guest.js'
import { codeOf, genuineInput } from '../test/evidence-folder.js'
import { DriverDouble, type DriverOptions } from '../test/node/sev-guest/driver-double.js'
import { reportOver } from '../test/node/reporting.js'
import { tableOf } from '../test/node/table-of.js'
import { REPORT_DATA } from '../test/policies.js'
import { DEVICE_NAME, deviceTree } from './device-tree.js'
import { type Mounted, mountTree } from './fuse/mount.js'

const { report, certificates, now, roots } = genuineInput('milan-v3-vcek')

const mounts: Mounted[] = []
afterEach(async () => {
  for (const mounted of mounts.splice(0)) await mounted.unmount()
})

const mountDriver = (options: Partial<DriverOptions> = {}) => {
  const driver = new DriverDouble({ report: () => report, certificates: tableOf(certificates), ...options })
  const mounted = mountTree(deviceTree(driver))
  mounts.push(mounted)
  return { driver, device: join(mounted.path, DEVICE_NAME), directory: join(mounted.path, 'no-configfs') }
}

const timer = { now: () => 0, wait: () => Promise.resolve() }

const collect = async (mounted: ReturnType<typeof mountDriver>, hostCertificates = true) => {
  const { device, directory } = mounted
  const { collector } = await chooseCollector({ device, directory, hostCertificates, ports: { timer } })
  return collector.collect(REPORT_DATA)
}

// Here the whole way is real but the driver's own code: open(2), ioctl(2), addresses, and memory written from outside.
describe('the collector on a device', () => {
  it('brings genuine evidence', async () => {
    const collected = await collect(mountDriver({ report: reportOver(report) }))
    expect((await judgeGenuine({ ...collected, now, roots })).genuine).toBe(true)
    expect(collected.table).toHaveLength(3)
  })

  it('asks for more room where the host wants it', async () => {
    const table = new Uint8Array(0x4001)
    table.set(tableOf(certificates))
    const mounted = mountDriver({ certificates: table, mostCertificateBytes: 0x8000 })
    expect((await collect(mounted)).table).toHaveLength(3)
    expect(mounted.driver.asked.map(({ certificateBytes }) => certificateBytes)).toEqual([0x4000, 0x5000])
  })

  it.each<[string, Partial<DriverOptions>, string]>([
    ['the firmware', { firmwareError: 0x1d }, 'firmware_refused'],
    ['the host', { vmmError: 7 }, 'host_refused'],
    ['a minute of throttling', { throttled: true }, 'collector_timeout'],
    ['a level without a key', { vmpck: 2 }, 'privilege_level_refused'],
    ['the driver, for the size', { certificates: new Uint8Array(0x5000).fill(1) }, 'collector_failed'],
  ])('says that %s refused', async (_, options, code) => {
    expect(await codeOf(() => collect(mountDriver(options)))).toBe(code)
  })

  it('says that the driver has wiped its key', async () => {
    const mounted = mountDriver({ firmwareError: 1 })
    await codeOf(() => collect(mounted))
    mounted.driver.options.firmwareError = 0
    expect(await codeOf(() => collect(mounted))).toBe('collector_disabled')
  })

  it('asks for a report alone where the host is said to have no certificates', async () => {
    const mounted = mountDriver()
    expect(await codeOf(() => collect(mounted, false))).toBe('collateral_missing')
    expect(mounted.driver.asked.map(({ command }) => command)).toEqual([0xc0205300])
  })

  it('does not hold up the rest of the program while the driver takes its time', async () => {
    const { driver, device } = mountDriver()
    let beats = 0
    const exchange = driver.exchange
    const slow: typeof exchange = async (asked) => {
      while (beats < 3) await new Promise((resolve) => setImmediate(resolve))
      return exchange(asked)
    }
    Object.assign(driver, { exchange: slow })
    const opened = await openSevGuest(device)
    const answered = opened.exchange({
      command: 0xc0205300,
      request: new Uint8Array(96),
      responseBytes: 4000,
      certificateBytes: 0,
    })
    for (; beats < 3; beats++) await new Promise((resolve) => setImmediate(resolve))
    expect((await answered).errno).toBeNull()
    await opened.close()
  })
})

describe('a derived key from a device', () => {
  it('is what the firmware gives for the whole request', async () => {
    const requests: string[] = []
    const { device } = mountDriver({
      key: (request) => {
        requests.push(Buffer.from(request).toString('hex'))
        return new Uint8Array(32).fill(9)
      },
    })
    const tcbVersion = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
    const key = await deriveKey(
      { root: 'vmrk', fields: ['tcb_version'], vmpl: 1, guestSvn: 2, tcbVersion },
      device,
    )
    expect(key).toEqual(new Uint8Array(32).fill(9))
    expect(requests).toEqual([
      '0100000000000000' + '2000000000000000' + '01000000' + '02000000' + '0102030405060708' + '00'.repeat(8),
    ])
  })
})
