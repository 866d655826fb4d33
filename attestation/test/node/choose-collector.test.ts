import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeGenuine } from '../../src/index.js'
import { chooseCollector, type CollectorOptions, type KernelPorts } from '../../src/node/index.js'
import { codeOf, genuineInput } from '../evidence-folder.js'
import { REPORT_DATA } from '../policies.js'
import { KernelDouble } from './configfs-tsm/kernel-double.js'
import { DriverDouble } from './sev-guest/driver-double.js'
import { tableOf } from './table-of.js'

const { report, certificates, now, roots } = genuineInput('milan-v3-vcek')
const TSM = '/sys/kernel/config/tsm/report'
const DEVICE = '/dev/sev-guest'

const machine = (there: readonly string[], provider: string | null = 'sev_guest') => {
  const table = tableOf(certificates)
  const files = new KernelDouble({ report: () => report, auxblob: table, provider })
  const driver = new DriverDouble({ report: () => report, certificates: table })
  const exists = (path: string): Promise<boolean> => Promise.resolve(there.includes(path))
  const ports: KernelPorts = {
    exists,
    files,
    openDevice: driver.open,
    timer: { now: () => 0, wait: () => Promise.resolve() },
  }
  const choose = (options: CollectorOptions = {}) => chooseCollector({ ...options, ports })
  return { files, driver, ports, choose }
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'parley-collateral-'))

describe('the choice of a collector', () => {
  it.each([
    [[TSM], 'configfs-tsm'],
    [[TSM, DEVICE], 'configfs-tsm'],
    [[DEVICE], 'sev-guest'],
  ])('with %j is %s, and it says so', async (there, by) => {
    const { choose } = machine(there)
    const chosen = await choose()
    expect(chosen.by).toBe(by)
    const collected = await chosen.collector.collect(REPORT_DATA)
    expect((await judgeGenuine({ ...collected, now, roots })).genuine).toBe(true)
  })

  it('is the device where keys are to be derived, and it derives them at its pace', async () => {
    const { choose } = machine([TSM, DEVICE])
    expect(Object.keys((await choose()).collector)).not.toContain('deriveKey')
    const { by, collector } = await choose({ derivesKeys: true })
    expect([by, typeof collector.deriveKey]).toEqual(['sev-guest', 'function'])
  })

  it('fails where keys are to be derived and there is no device: configfs-tsm is nothing to fall back to', async () => {
    const { choose } = machine([TSM])
    expect(await codeOf(() => choose({ derivesKeys: true }))).toBe('provider_missing')
  })

  it('fails where there is neither', async () => {
    const { choose } = machine([])
    expect(await codeOf(choose)).toBe('provider_missing')
  })

  it('fails on a machine that has neither, such as this one without its ports replaced', async () => {
    const nowhere = { directory: join(folder(), 'none'), device: join(folder(), 'none') }
    expect(await codeOf(() => chooseCollector(nowhere))).toBe('provider_missing')
  })

  it.each([
    [null, 'provider_missing'],
    ['tdx_guest', 'provider_unexpected'],
  ])('does not turn to the device where the directory has the provider %s', async (provider, code) => {
    const { choose, driver } = machine([TSM, DEVICE], provider)
    expect(await codeOf(choose)).toBe(code)
    expect(driver.opened).toBe(0)
  })

  it('does not turn to the device where a collection fails', async () => {
    const { choose, files, driver } = machine([TSM, DEVICE])
    const { collector } = await choose()
    files.options.failures = { 'read outblob': 'ENOTTY' }
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('collector_disabled')
    expect(driver.opened).toBe(0)
  })

  it('fails where it may not look', async () => {
    const { ports } = machine([DEVICE])
    const exists = () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))
    expect(await codeOf(() => chooseCollector({ ports: { ...ports, exists } }))).toBe('collector_forbidden')
  })

  it('hands on what to ask for', async () => {
    const { choose, files, driver } = machine([TSM])
    await (await choose({ privilegeLevel: 2 })).collector.collect(REPORT_DATA)
    expect(files.log).toContain('write privlevel')
    expect(driver.opened).toBe(0)
  })

  it('adds certificates of a directory to those of the host, and no other file of it', async () => {
    const { choose, driver } = machine([DEVICE])
    driver.options.certificates = new Uint8Array()
    const collateralDirectory = folder()
    certificates.forEach((der, at) => {
      writeFileSync(join(collateralDirectory, `${at}.der`), der)
    })
    writeFileSync(join(collateralDirectory, 'README.txt'), 'not a certificate')
    const { collector } = await choose({ collateralDirectory })
    expect((await collector.collect(REPORT_DATA)).certificates).toHaveLength(3)
  })

  it.each([
    ['broken.pem', 'certificate_malformed'],
    ['broken.crl', 'crl_malformed'],
  ])('fails where %s of that directory can not be read', async (name, code) => {
    const { choose } = machine([DEVICE])
    const collateralDirectory = folder()
    writeFileSync(join(collateralDirectory, name), 'nothing')
    expect(await codeOf(() => choose({ collateralDirectory }))).toBe(code)
  })
})
