import { describe, expect, it } from 'vitest'
import { collectFromConfigfsTsm, type SvsmService } from '../../../src/node/index.js'
import { codeOf, genuineInput } from '../../evidence-folder.js'
import { REPORT_DATA } from '../../policies.js'
import { reportOver } from '../reporting.js'
import { KernelDouble, type KernelOptions } from './kernel-double.js'

const { report } = genuineInput('milan-v3-vcek')
const directory = '/sys/kernel/config/tsm/report'
const AUXBLOB = Uint8Array.of(1, 2, 3)

const kernel = (options: Partial<KernelOptions> = {}): KernelDouble =>
  new KernelDouble({ report: () => report, auxblob: AUXBLOB, ...options })

const collect = (files: KernelDouble, privilegeLevel: number | null = null) =>
  collectFromConfigfsTsm(REPORT_DATA, { directory, privilegeLevel, files })

describe('a collection by configfs-tsm', () => {
  it('brings a report over the data asked for, and what the host put beside it', async () => {
    expect(await collect(kernel())).toEqual({ report, certificateTable: AUXBLOB, manifest: null })
  })

  it('uses an entry of its own for each request, and removes it', async () => {
    const paths = new Set<string>()
    const files = kernel({
      interfere: ({ entries }) => {
        for (const path of entries.keys()) paths.add(path)
      },
    })
    await collect(files)
    await collect(files)
    expect(paths.size).toBe(2)
    expect(files.entries.size).toBe(0)
  })

  it('asks in the one order that tells whether a write was lost', async () => {
    const files = kernel()
    await collect(files, 1)
    expect(files.log).toEqual([
      'mkdir',
      'read provider',
      'read generation',
      'read privlevel_floor',
      'write privlevel',
      'write inblob',
      'read generation',
      'read outblob',
      'read auxblob',
      'read generation',
      'rmdir',
    ])
  })

  it.each([
    [0, null, 0],
    [0, 2, 2],
    [2, null, 2],
    [2, 3, 3],
  ])('over a floor of VMPL %i asks for %s by asking for VMPL %i', async (floor, asked, level) => {
    const levels: number[] = []
    const asking = kernel({
      floor,
      report: (_, privilegeLevel) => {
        levels.push(privilegeLevel)
        return report
      },
    })
    await collect(asking, asked)
    expect(levels).toEqual([level])
  })

  it('refuses a level under the floor before it writes anything', async () => {
    const files = kernel({ floor: 2 })
    expect(await codeOf(() => collect(files, 0))).toBe('privilege_level_refused')
    expect(files.log.filter((operation) => operation.startsWith('write'))).toEqual([])
  })

  it('says that a level above 3 was refused', async () => {
    expect(await codeOf(() => collect(kernel(), 4))).toBe('privilege_level_refused')
  })

  it.each([0, 63, 65])('refuses REPORT_DATA of %i bytes before it asks', async (size) => {
    const files = kernel()
    const asked = collectFromConfigfsTsm(new Uint8Array(size), { directory, privilegeLevel: null, files })
    expect(await codeOf(() => asked)).toBe('argument_invalid')
    expect(files.log).toEqual([])
  })

  it.each([
    ['mkdir', 'EACCES', 'collector_forbidden'],
    ['mkdir', 'EPERM', 'collector_forbidden'],
    ['mkdir', 'ENOENT', 'provider_missing'],
    ['mkdir', 'ENXIO', 'provider_missing'],
    ['mkdir', 'ENOSPC', 'collector_failed'],
    ['read provider', 'EIO', 'collector_disabled'],
    ['write privlevel', 'EBUSY', 'collector_busy'],
    ['write inblob', 'EBUSY', 'collector_busy'],
    ['write inblob', 'EFBIG', 'collector_failed'],
    ['read outblob', 'EBUSY', 'collector_busy'],
    ['read outblob', 'EAGAIN', 'collector_busy'],
    ['read outblob', 'ETIMEDOUT', 'collector_timeout'],
    ['read outblob', 'ENOTTY', 'collector_disabled'],
    ['read outblob', 'EIO', 'collector_disabled'],
    ['read outblob', 'EINVAL', 'firmware_refused'],
    ['read outblob', 'ENXIO', 'provider_missing'],
    ['read outblob', 'EFBIG', 'collector_failed'],
    ['read auxblob', 'EFBIG', 'collector_failed'],
    ['read auxblob', 'EINVAL', 'collector_failed'],
  ])('says what it means where %s ends in %s', async (operation, error, code) => {
    const files = kernel({ failures: { [operation]: error } })
    expect(await codeOf(() => collect(files, 1))).toBe(code)
    expect(files.entries.size).toBe(0)
  })

  it('says the first error where cleaning up fails too, and the second where it alone fails', async () => {
    const both = kernel({ failures: { 'read outblob': 'EBUSY', rmdir: 'EACCES' } })
    expect(await codeOf(() => collect(both))).toBe('collector_busy')
    expect(await codeOf(() => collect(kernel({ failures: { rmdir: 'EACCES' } })))).toBe('collector_forbidden')
  })

  it('notices a write that was lost at close, and has no report made', async () => {
    const files = kernel({ failures: { 'close inblob': 'EBUSY' } })
    expect(await codeOf(() => collect(files))).toBe('generation_changed')
    expect(files.log).not.toContain('read outblob')
  })

  it.each(['outblob', 'auxblob'])('notices that somebody else wrote before %s was read', async (moment) => {
    const interfere: KernelOptions['interfere'] = (double, attribute) => {
      if (attribute === moment) double.overwrite(REPORT_DATA)
    }
    expect(await codeOf(() => collect(kernel({ interfere })))).toBe('generation_changed')
  })

  it('notices a report over other data', async () => {
    const other = report.map((byte, at) => (at === 0x50 ? byte ^ 1 : byte))
    expect(await codeOf(() => collect(kernel({ report: () => other })))).toBe('report_data_changed')
  })

  it('takes no report of zeros, as an SVSM once gave, for one over its data', async () => {
    expect(await codeOf(() => collect(kernel({ report: () => new Uint8Array(1184) })))).toBe(
      'report_data_changed',
    )
  })

  it.each([0, 1183, 1185, 4000])('takes no outblob of %i bytes for a report', async (size) => {
    expect(await codeOf(() => collect(kernel({ report: () => new Uint8Array(size) })))).toBe(
      'collector_failed',
    )
  })

  it.each([
    ['generation', ''],
    ['generation', 'many'],
    ['generation', '-1'],
    ['privlevel_floor', '0x2'],
  ])('takes no %s of "%s"', async (attribute, text) => {
    const files = kernel()
    const read = files.read
    files.read = (path) =>
      path.endsWith(attribute) ? Promise.resolve(new TextEncoder().encode(text)) : read(path)
    expect(await codeOf(() => collect(files))).toBe('collector_failed')
  })

  it('does not hide a fault of ours', async () => {
    const files = kernel({
      report: () => {
        throw new TypeError('a bug')
      },
    })
    await expect(collect(files)).rejects.toThrow(TypeError)
    expect(files.entries.size).toBe(0)
  })
})

describe('a collection from an SVSM', () => {
  const manifest = Uint8Array.of(7, 7, 7)
  const ALL: SvsmService = { guid: null, manifestVersion: null }
  const ONE: SvsmService = { guid: 'c476f1eb-0123-45a5-9641-b4e7dde5bfe3', manifestVersion: 1 }
  const collectService = (files: KernelDouble, service: SvsmService) =>
    collectFromConfigfsTsm(REPORT_DATA, { directory, privilegeLevel: null, service, files })

  it.each([
    ['all services', ALL, ['service_provider']],
    ['one', ONE, ['service_provider', 'service_guid', 'service_manifest_version']],
  ])('brings the manifest of %s with a report over it', async (_, service, written) => {
    const files = kernel({ manifest, floor: 2, report: reportOver(report) })
    const collected = await collectService(files, service)
    expect(collected.manifest).toEqual(manifest)
    expect(files.log.filter((operation) => operation.startsWith('write service'))).toEqual(
      written.map((attribute) => `write ${attribute}`),
    )
  })

  it('refuses a report over the nonce alone: the manifest would be anybody’s', async () => {
    const files = kernel({ manifest, report: () => report })
    expect(await codeOf(() => collectService(files, ALL))).toBe('report_data_changed')
  })

  it('fails where there is no SVSM', async () => {
    expect(await codeOf(() => collectService(kernel(), ALL))).toBe('provider_missing')
  })

  it('fails where a service has no such name', async () => {
    const asked = { guid: 'vtpm', manifestVersion: null }
    expect(await codeOf(() => collectService(kernel({ manifest }), asked))).toBe('collector_failed')
  })
})
