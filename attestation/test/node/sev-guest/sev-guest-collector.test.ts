import { describe, expect, it } from 'vitest'
import { judgeGenuine } from '../../../src/index.js'
import { sevGuestCollector, type SevGuestOptions } from '../../../src/node/sev-guest/sev-guest-collector.js'
import { AttestationError, readCertificates } from '../../../src/index.js'
import { NOTHING_AT_HAND } from '../../../src/node/read-collateral.js'
import { codeOf, genuineInput } from '../../evidence-folder.js'
import { REPORT_DATA } from '../../policies.js'
import { tableOf } from '../table-of.js'
import { DriverDouble, type DriverOptions } from './driver-double.js'

const { report, certificates, now, roots } = genuineInput('milan-v3-vcek')

const driver = (options: Partial<DriverOptions> = {}): DriverDouble =>
  new DriverDouble({ report: () => report, certificates: tableOf(certificates), ...options })

const asking = { path: '/dev/sev-guest', privilegeLevel: null, hostCertificates: true }

const collect = async (double: DriverDouble, changes: Partial<Omit<SevGuestOptions, 'open'>> = {}) =>
  (await sevGuestCollector({ ...asking, ...changes, open: double.open }, NOTHING_AT_HAND)).collect(
    REPORT_DATA,
  )

describe('the collector of the device', () => {
  it('brings evidence that is genuine, and closes what it opened', async () => {
    const double = driver()
    const collected = await collect(double)
    expect((await judgeGenuine({ ...collected, now, roots })).genuine).toBe(true)
    expect(collected.table.map(({ name }) => name).sort()).toEqual(['ark', 'ask', 'vcek'])
    expect([double.opened, double.closed]).toEqual([2, 2])
  })

  it('closes the device after a failure too', async () => {
    const double = driver({ firmwareError: 1 })
    await codeOf(() => collect(double))
    expect(double.closed).toBe(double.opened)
  })

  it('asks for VMPL 0 unless told otherwise', async () => {
    const levels: number[] = []
    const double = driver({
      report: (_, vmpl) => {
        levels.push(vmpl)
        return report
      },
    })
    await collect(double)
    await collect(double, { privilegeLevel: 3 })
    expect(levels).toEqual([0, 3])
  })

  it('does not ask a host for certificates that is said to have none', async () => {
    const double = driver()
    const collector = await sevGuestCollector(
      { ...asking, hostCertificates: false, open: double.open },
      { certificates: readCertificates(certificates), crls: [] },
    )
    const collected = await collector.collect(REPORT_DATA)
    expect(double.asked.map(({ command }) => command)).toEqual([0xc0205300])
    expect(collected).toMatchObject({ table: [] })
    expect(collected.certificates).toHaveLength(3)
  })

  it.each([0, 63, 65])('refuses REPORT_DATA of %i bytes before it asks', async (size) => {
    const double = driver()
    const collector = await sevGuestCollector({ ...asking, open: double.open }, NOTHING_AT_HAND)
    expect(await codeOf(() => collector.collect(new Uint8Array(size)))).toBe('argument_invalid')
    expect(double.asked).toEqual([])
  })

  it('notices a report over other data', async () => {
    const other = report.map((byte, at) => (at === 0x50 ? byte ^ 1 : byte))
    expect(await codeOf(() => collect(driver({ report: () => other })))).toBe('report_data_changed')
  })

  it('says that a level needs another key than the guest has', async () => {
    expect(await codeOf(() => collect(driver({ vmpck: 2 })))).toBe('privilege_level_refused')
    expect(await codeOf(() => collect(driver({ status: 0x27 })))).toBe('privilege_level_refused')
  })

  it('takes a status of the firmware that is not success for a refusal', async () => {
    expect(await codeOf(() => collect(driver({ status: 0x1 })))).toBe('firmware_refused')
  })

  it.each([0, 1183, 1185, 3969])(
    'takes no response that claims %i bytes for a report',
    async (reportSize) => {
      expect(await codeOf(() => collect(driver({ reportSize })))).toBe('collector_failed')
    },
  )

  it('tells a refusal of the firmware from one of the host', async () => {
    expect(await codeOf(() => collect(driver({ firmwareError: 0x1d })))).toBe('firmware_refused')
    expect(await codeOf(() => collect(driver({ vmmError: 7 })))).toBe('host_refused')
  })

  it.each<[string, Partial<DriverOptions>, string]>([
    ['the firmware', { firmwareError: 0x1d }, 'firmware_refused'],
    ['the host', { vmmError: 7 }, 'host_refused'],
    ['a minute of throttling', { throttled: true }, 'collector_timeout'],
  ])('after a failure by %s has no key left, for good', async (_, options, code) => {
    const double = driver(options)
    expect(await codeOf(() => collect(double))).toBe(code)
    double.options.firmwareError = double.options.vmmError = 0
    double.options.throttled = false
    expect(await codeOf(() => collect(double))).toBe('collector_disabled')
    expect(await codeOf(() => collect(double))).toBe('collector_disabled')
  })

  it('that can’t be opened is not built', async () => {
    const open = () => Promise.reject(new AttestationError('collector_forbidden', 'no'))
    expect(await codeOf(() => sevGuestCollector({ ...asking, open }, NOTHING_AT_HAND))).toBe(
      'collector_forbidden',
    )
  })
})

describe('a key that the device derives', () => {
  const wanted = {
    root: 'vcek',
    fields: ['measurement'],
    vmpl: 0,
    guestSvn: 0,
    tcbVersion: new Uint8Array(8),
  } as const

  it('is what the firmware answers, of the same device that reports', async () => {
    const key = new Uint8Array(32).fill(7)
    const double = driver({ key: () => key })
    const collector = await sevGuestCollector({ ...asking, open: double.open }, NOTHING_AT_HAND)
    expect(await collector.deriveKey?.(wanted)).toEqual(key)
    expect(double.closed).toBe(double.opened)
  })

  it('is none where the firmware refuses', async () => {
    const double = driver({ key: () => new Uint8Array(32).fill(7), status: 0x16 })
    const collector = await sevGuestCollector({ ...asking, open: double.open }, NOTHING_AT_HAND)
    expect(await codeOf(() => collector.deriveKey?.(wanted) ?? Promise.resolve())).toBe('firmware_refused')
  })
})
