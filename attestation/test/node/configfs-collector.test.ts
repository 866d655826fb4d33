import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectFromConfigfsTsm, configfsCollector } from '../../src/node/index.js'
import { judgeGenuine } from '../../src/index.js'
import { codeOf, genuineInput } from '../evidence-folder.js'
import { REPORT_DATA } from '../policies.js'
import { tableOf } from './certificate-table.js'
import { KernelDouble, type KernelOptions } from './kernel-double.js'

const { report, certificates, now, roots } = genuineInput('milan-v3-vcek')
const vlek = genuineInput('milan-v3-vlek')
const byLength = [...certificates].sort((left, right) => left.length - right.length)
const directory = '/sys/kernel/config/tsm/report'

const kernel = (options: Partial<KernelOptions> = {}): KernelDouble =>
  new KernelDouble({ report: () => report, auxblob: tableOf(certificates), ...options })

const collect = (files: KernelDouble, privilegeLevel: number | null = null): Promise<unknown> =>
  collectFromConfigfsTsm(REPORT_DATA, { directory, privilegeLevel, files })

describe('the collector of configfs-tsm', () => {
  it('brings a report over the data asked for, with the certificates of the host', async () => {
    const files = kernel()
    const collector = await configfsCollector({ files })
    const collected = await collector.collect(REPORT_DATA)
    expect(collector.platform).toBe('sev-snp')
    expect((await judgeGenuine({ ...collected, now, roots })).genuine).toBe(true)
    expect(files.entries.size).toBe(0)
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
      'write privlevel',
      'write inblob',
      'read outblob',
      'read auxblob',
      'read generation',
      'rmdir',
    ])
  })

  it('asks for the privilege level that it is told', async () => {
    const levels: number[] = []
    const files = kernel({
      report: (_, level) => {
        levels.push(level)
        return report
      },
    })
    await collect(files, 2)
    await collect(files)
    expect(levels).toEqual([2, 0])
  })

  it('fails where the kernel has no provider, and falls back to nothing', async () => {
    expect(await codeOf(() => configfsCollector({ files: kernel({ provider: null }) }))).toBe(
      'provider_missing',
    )
  })

  it('fails where the kernel has no such interface at all', async () => {
    expect(await codeOf(() => configfsCollector({ directory: join(tmpdir(), 'no-such-directory') }))).toBe(
      'provider_missing',
    )
  })

  it('fails in a plain directory, which answers nothing', async () => {
    const plain = mkdtempSync(join(tmpdir(), 'parley-plain-'))
    expect(await codeOf(() => configfsCollector({ directory: plain }))).toBe('provider_missing')
  })

  it('fails where another kind of processor provides reports', async () => {
    expect(await codeOf(() => configfsCollector({ files: kernel({ provider: 'tdx_guest' }) }))).toBe(
      'provider_unexpected',
    )
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
    ['mkdir', 'ENOSPC', 'collector_failed'],
    ['read provider', 'EIO', 'collector_disabled'],
    ['write inblob', 'EBUSY', 'collector_busy'],
    ['write inblob', 'EFBIG', 'collector_failed'],
    ['read outblob', 'EBUSY', 'collector_busy'],
    ['read outblob', 'EAGAIN', 'collector_busy'],
    ['read outblob', 'ETIMEDOUT', 'collector_timeout'],
    ['read outblob', 'ENOTTY', 'collector_disabled'],
    ['read outblob', 'EIO', 'collector_disabled'],
    ['read outblob', 'EINVAL', 'collector_failed'],
    ['read outblob', 'ENXIO', 'provider_missing'],
    ['read auxblob', 'EFBIG', 'collector_failed'],
  ])('says what it means where %s ends in %s', async (operation, error, code) => {
    const files = kernel({ failures: { [operation]: error } })
    expect(await codeOf(() => collect(files))).toBe(code)
    expect(files.entries.size).toBe(0)
  })

  it('says that a level under the floor was refused', async () => {
    expect(await codeOf(() => collect(kernel({ floor: 2 }), 0))).toBe('privilege_level_refused')
    expect(await codeOf(() => collect(kernel(), 4))).toBe('privilege_level_refused')
  })

  it('says the first error where cleaning up fails too, and the second where it alone fails', async () => {
    const both = kernel({ failures: { 'read outblob': 'EBUSY', rmdir: 'EACCES' } })
    expect(await codeOf(() => collect(both))).toBe('collector_busy')
    expect(await codeOf(() => collect(kernel({ failures: { rmdir: 'EACCES' } })))).toBe('collector_forbidden')
  })

  it('notices a write that was lost at close', async () => {
    expect(await codeOf(() => collect(kernel({ failures: { 'close inblob': 'EBUSY' } })))).toBe(
      'collector_failed',
    )
  })

  it('notices that somebody else wrote in between', async () => {
    const interfere = (double: KernelDouble): void => {
      double.overwrite(new Uint8Array(64))
    }
    expect(await codeOf(() => collect(kernel({ interfere })))).toBe('generation_changed')
  })

  it('notices a report over other data', async () => {
    const other = genuineInput('milan-v3-vcek').report.map((byte, at) => (at === 0x50 ? byte ^ 1 : byte))
    expect(await codeOf(() => collect(kernel({ report: () => other })))).toBe('report_data_changed')
  })

  it.each([0, 1183, 1185, 4000])('takes no outblob of %i bytes for a report', async (size) => {
    expect(await codeOf(() => collect(kernel({ report: () => new Uint8Array(size) })))).toBe(
      'collector_failed',
    )
  })

  it.each(['', 'many', '-1'])('takes no generation of "%s"', async (text) => {
    const files = kernel()
    const read = files.read
    files.read = (path) =>
      path.endsWith('generation') ? Promise.resolve(new TextEncoder().encode(text)) : read(path)
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

describe('the certificates that come with a report', () => {
  it('are missing where the host hands over nothing', async () => {
    const collector = await configfsCollector({ files: kernel({ auxblob: new Uint8Array() }) })
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('collateral_missing')
  })

  it('are missing where the host hands over the leaf alone', async () => {
    const collector = await configfsCollector({ files: kernel({ auxblob: tableOf(byLength.slice(0, 1)) }) })
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('collateral_missing')
  })

  it('may come from a directory instead, as on a provider that hands over its VLEK alone', async () => {
    const collateralDirectory = mkdtempSync(join(tmpdir(), 'parley-collateral-'))
    const [leaf, ...authorities] = [...vlek.certificates].sort((left, right) => left.length - right.length)
    authorities.forEach((der, at) => {
      writeFileSync(join(collateralDirectory, `authority-${at}.der`), der)
    })
    writeFileSync(join(collateralDirectory, 'README.txt'), 'not a certificate')
    const files = kernel({ report: () => vlek.report, auxblob: tableOf(leaf === undefined ? [] : [leaf]) })
    const collected = await (await configfsCollector({ files, collateralDirectory })).collect(REPORT_DATA)
    expect(collected.certificates).toHaveLength(3)
    expect((await judgeGenuine({ ...collected, now, roots: vlek.roots })).genuine).toBe(true)
  })

  it('in both places are handed over once', async () => {
    const collateralDirectory = mkdtempSync(join(tmpdir(), 'parley-collateral-'))
    certificates.forEach((der, at) => {
      writeFileSync(join(collateralDirectory, `${at}.der`), der)
    })
    const collector = await configfsCollector({ files: kernel(), collateralDirectory })
    expect((await collector.collect(REPORT_DATA)).certificates).toHaveLength(3)
  })

  it('of the wrong kind are not passed on', async () => {
    const collector = await configfsCollector({ files: kernel({ auxblob: tableOf(vlek.certificates) }) })
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('leaf_kind_mismatch')
  })

  it('in a malformed table are refused', async () => {
    const collector = await configfsCollector({ files: kernel({ auxblob: Uint8Array.of(1, 2, 3) }) })
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('certificate_table_malformed')
  })

  it('that can not be read from the directory stop the collector from being built', async () => {
    const collateralDirectory = mkdtempSync(join(tmpdir(), 'parley-collateral-'))
    writeFileSync(join(collateralDirectory, 'broken.pem'), 'nothing')
    expect(await codeOf(() => configfsCollector({ files: kernel(), collateralDirectory }))).toBe(
      'certificate_malformed',
    )
  })
})
