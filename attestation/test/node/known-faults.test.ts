import { beforeAll, describe, expect, it } from 'vitest'
import { completeCollateral, itemName, kdsPath, parseReport, vcekItemOf } from '../../src/index.js'
import {
  askKds,
  chooseCollector,
  collectFromConfigfsTsm,
  deriveKey,
  type HttpAnswer,
  type KernelPorts,
} from '../../src/node/index.js'
import { DAY_MS, type Machine, machine, memoryCache, NOW } from '../collateral/simulated-kds.js'
import { codeOf, genuineInput } from '../evidence-folder.js'
import { REPORT_DATA } from '../policies.js'
import { KernelDouble, type KernelOptions } from './configfs-tsm/kernel-double.js'
import { DriverDouble, type DriverOptions } from './sev-guest/driver-double.js'
import { tableOf } from './table-of.js'

const { report, certificates } = genuineInput('milan-v3-vcek')
const directory = '/sys/kernel/config/tsm/report'

const byFiles = (options: Partial<KernelOptions> = {}, reportData: Uint8Array = REPORT_DATA) => {
  const files = new KernelDouble({ report: () => report, ...options })
  return codeOf(() => collectFromConfigfsTsm(reportData, { directory, privilegeLevel: null, files }))
}

const byDevice = async (options: Partial<DriverOptions> = {}) => {
  const driver = new DriverDouble({ report: () => report, certificates: tableOf(certificates), ...options })
  const waits: number[] = []
  const ports: Partial<KernelPorts> = {
    exists: (path) => Promise.resolve(path === '/dev/sev-guest'),
    openDevice: driver.open,
    timer: {
      now: () => 0,
      wait: (ms) => {
        waits.push(ms)
        return Promise.resolve()
      },
    },
  }
  const { collector } = await chooseCollector({ ports })
  return { driver, waits, collect: () => codeOf(() => collector.collect(REPORT_DATA)) }
}

// Each of these was a fault of some collector of SNP evidence, found in its source or its issue tracker.
describe('faults that other collectors had', () => {
  it('REPORT_DATA that is not 64 bytes long is refused at once, and not by the driver when the report is read', async () => {
    expect(await byFiles({}, new Uint8Array(63))).toBe('argument_invalid')
  })

  it('under an SVSM the report is asked for above the floor, and a level below it is refused', async () => {
    expect(await byFiles({ floor: 2 })).toBeNull()
    const files = new KernelDouble({ report: () => report, floor: 2 })
    const below = { directory, privilegeLevel: 1, files }
    expect(await codeOf(() => collectFromConfigfsTsm(REPORT_DATA, below))).toBe('privilege_level_refused')
  })

  it('an empty outblob and a report of zeros are no success', async () => {
    expect(await byFiles({ report: () => new Uint8Array() })).toBe('collector_failed')
    expect(await byFiles({ report: () => new Uint8Array(1184) })).toBe('report_data_changed')
  })

  it('an error that close() hides is seen by the generation', async () => {
    expect(await byFiles({ failures: { 'close inblob': 'EBUSY' } })).toBe('generation_changed')
  })

  it('a kernel without configfs-tsm is asked by its device', async () => {
    expect(await (await byDevice()).collect()).toBeNull()
  })

  it('a failed request wipes the key of the driver: that is told from a passing failure, and not tried again', async () => {
    const { driver, collect } = await byDevice({ throttled: true })
    expect(await collect()).toBe('collector_timeout')
    expect(await collect()).toBe('collector_disabled')
    expect(driver.asked).toHaveLength(2)
  })

  it('a host that throttles is not asked more often than every two seconds', async () => {
    const { waits, collect } = await byDevice()
    await collect()
    await collect()
    expect(waits).toEqual([0, 2000])
  })

  it('EIO with a size is a request for more room, and no failure', async () => {
    const { driver, collect } = await byDevice({ mostCertificateBytes: 0x8000 })
    driver.options.certificates = new Uint8Array(0x4001)
    driver.options.certificates.set(tableOf(certificates))
    expect(await collect()).toBeNull()
    expect(driver.asked).toHaveLength(2)
  })

  it('an error of the firmware is told from one of the host', async () => {
    expect(await (await byDevice({ firmwareError: 29 })).collect()).toBe('firmware_refused')
    expect(await (await byDevice({ vmmError: 29 })).collect()).toBe('host_refused')
  })

  it('a derived key depends on all of a TCB, not on its first byte', async () => {
    const tcbs: string[] = []
    const key = (request: Uint8Array): Uint8Array => {
      tcbs.push(Buffer.from(request.subarray(24, 32)).toString('hex'))
      return new Uint8Array(32).fill(1)
    }
    const driver = new DriverDouble({ report: () => report, key })
    const tcbVersion = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
    const wanted = { root: 'vcek', fields: ['tcb_version'], vmpl: 0, guestSvn: 0, tcbVersion } as const
    await deriveKey(wanted, '/dev/sev-guest', driver.open)
    expect(tcbs).toEqual(['0102030405060708'])
  })
})

describe('faults that others had with AMD’s service', () => {
  let turin: Machine
  beforeAll(async () => {
    turin = await machine('Turin')
  })

  /** Completes what a report needs of a service that answers so, one answer after the other. */
  const complete = async (
    held: readonly Uint8Array[],
    answers: readonly (HttpAnswer | Error)[],
    cache = memoryCache(),
  ) => {
    const left = [...answers]
    const get = (): Promise<HttpAnswer> => {
      const answer = left.shift()
      return answer instanceof Error || answer === undefined
        ? Promise.reject(answer ?? new Error('down'))
        : Promise.resolve(answer)
    }
    const timer = { now: () => 0, wait: () => Promise.resolve() }
    const { items } = await completeCollateral(
      { report: turin.report, certificates: [...held, ...turin.chain], crls: [turin.crl()] },
      { now: NOW, roots: turin.roots, cache, kds: askKds({ nowMs: NOW, get, timer }) },
    )
    return items.map(({ source, code }) => source ?? code)[1]
  }
  const answer = (status: number, body: Uint8Array = new Uint8Array()): HttpAnswer => ({
    status,
    retryAfter: null,
    body,
  })

  it('a VCEK of Turin is asked for by 16 digits and its FMC, and cached by all of its TCB', () => {
    const item = vcekItemOf(parseReport(turin.report), 'Turin')
    expect(kdsPath(item)).toMatch(
      /^\/vcek\/v1\/Turin\/[0-9a-f]{16}\?fmcSPL=01&blSPL=01&teeSPL=01&snpSPL=04&ucodeSPL=81$/,
    )
    const otherFmc = { ...item, tcb: Uint8Array.of(9, ...item.tcb.subarray(1)) }
    expect(itemName(otherFmc)).not.toBe(itemName(item))
  })

  it('429 is waited for, errors and outages are tried again within bounds, and 404 is final', async () => {
    expect(await complete([], [answer(429), answer(500), answer(200, turin.leaf)])).toBe('kds')
    expect(await complete([], [])).toBe('collateral_unavailable')
    expect(await complete([], [answer(404), answer(200, turin.leaf)])).toBe('collateral_unavailable')
  })

  it('what was answered once is kept, so that an outage of hours does no harm', async () => {
    const cache = memoryCache()
    expect(await complete([], [answer(200, turin.leaf)], cache)).toBe('kds')
    expect(await complete([], [], cache)).toBe('cache')
  })

  it('a wrong VCEK in the evidence is passed over for the right one', async () => {
    const wrong = turin.leafFor({ tcb: Uint8Array.of(9, 1, 1, 4, 0, 0, 0, 81) })
    expect(await complete([wrong], [answer(200, turin.leaf)])).toBe('kds')
  })

  it('a CRL is never used past its nextUpdate', async () => {
    const evidence = {
      report: turin.report,
      certificates: [turin.leaf, ...turin.chain],
      crls: [turin.crl({ nextUpdateMs: NOW + DAY_MS })],
    }
    const terms = { roots: turin.roots, cache: null, kds: null }
    const codeAt = async (now: number) =>
      (await completeCollateral(evidence, { now, ...terms })).items[2]?.code
    expect([await codeAt(NOW + DAY_MS - 1), await codeAt(NOW + DAY_MS)]).toEqual([null, 'collateral_missing'])
  })
})
