import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeGenuine } from '../src/index.js'
import { configfsCollector } from '../src/node/configfs-tsm/configfs-collector.js'
import { collectFromConfigfsTsm, kernelFiles } from '../src/node/index.js'
import { NOTHING_AT_HAND } from '../src/node/read-collateral.js'
import { codeOf, genuineInput } from '../test/evidence-folder.js'
import { KernelDouble, type KernelOptions } from '../test/node/configfs-tsm/kernel-double.js'
import { reportOver } from '../test/node/reporting.js'
import { tableOf } from '../test/node/table-of.js'
import { REPORT_DATA } from '../test/policies.js'
import { configfsTree } from './configfs-tree.js'
import { type Mounted, mountTree } from './fuse/mount.js'

const { report, certificates, now, roots } = genuineInput('milan-v3-vcek')
const AUXBLOB = tableOf(certificates)

const mounts: Mounted[] = []
afterEach(async () => {
  for (const mounted of mounts.splice(0)) await mounted.unmount()
})

const mountKernel = (options: Partial<KernelOptions> = {}) => {
  const kernel = new KernelDouble({ report: () => report, auxblob: AUXBLOB, ...options })
  const mounted = mountTree(configfsTree(kernel))
  mounts.push(mounted)
  return { kernel, directory: mounted.path }
}

const collect = (directory: string, privilegeLevel: number | null = null) =>
  collectFromConfigfsTsm(REPORT_DATA, { directory, privilegeLevel, files: kernelFiles })

const errorOf = async (act: Promise<unknown>): Promise<string | null> => {
  const error: unknown = await act.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof Error && 'code' in error ? String(error.code) : null
}

describe('the collector on a mounted configfs-tsm', () => {
  it('brings genuine evidence, and leaves no entry', async () => {
    const { kernel, directory } = mountKernel()
    const options = { directory, privilegeLevel: null, files: kernelFiles }
    const collected = await (await configfsCollector(options, NOTHING_AT_HAND)).collect(REPORT_DATA)
    expect((await judgeGenuine({ ...collected, now, roots })).genuine).toBe(true)
    expect(kernel.entries.size).toBe(0)
  })

  it('reads blobs of more than a page, and empty ones', async () => {
    const large = mountKernel({ auxblob: new Uint8Array(0x4000).fill(5) })
    expect(new Uint8Array((await collect(large.directory)).certificateTable)).toEqual(
      new Uint8Array(0x4000).fill(5),
    )
    const empty = mountKernel({ auxblob: new Uint8Array() })
    expect((await collect(empty.directory)).certificateTable).toHaveLength(0)
  })

  it('serves many requesters at once, each with an entry of its own', async () => {
    const { directory } = mountKernel({ report: reportOver(report) })
    const collected = await Promise.all([1, 2, 3, 4, 5, 6].map(() => collect(directory)))
    expect(collected.map((each) => new Uint8Array(each.report))).toEqual(collected.map(() => report))
  })

  it('asks over the floor that an SVSM leaves', async () => {
    const levels: number[] = []
    const { directory } = mountKernel({
      floor: 2,
      report: (_, level) => {
        levels.push(level)
        return report
      },
    })
    await collect(directory)
    expect(levels).toEqual([2])
    expect(await codeOf(() => collect(directory, 1))).toBe('privilege_level_refused')
  })

  it('brings the manifest of an SVSM, whose attributes are there only then', async () => {
    const manifest = Uint8Array.of(1, 2, 3)
    const service = { guid: null, manifestVersion: null }
    const options = { privilegeLevel: null, service, files: kernelFiles }
    const with_ = mountKernel({ manifest, report: reportOver(report) })
    const collected = await collectFromConfigfsTsm(REPORT_DATA, { ...options, directory: with_.directory })
    expect(new Uint8Array(collected.manifest ?? [])).toEqual(manifest)
    const without = mountKernel()
    const asked = () => collectFromConfigfsTsm(REPORT_DATA, { ...options, directory: without.directory })
    expect(await codeOf(asked)).toBe('provider_missing')
  })

  it('fails where no provider stands behind it', async () => {
    expect(await codeOf(() => collect(mountKernel({ provider: null }).directory))).toBe('provider_missing')
    expect(await codeOf(() => collect(mountKernel({ provider: 'tdx_guest' }).directory))).toBe(
      'provider_unexpected',
    )
  })

  it.each([
    ['write inblob', 'EBUSY', 'collector_busy'],
    // close() returned 0, and nothing was written.
    ['close inblob', 'EBUSY', 'generation_changed'],
    ['read outblob', 'EBUSY', 'collector_busy'],
    ['read outblob', 'EINVAL', 'firmware_refused'],
    ['read outblob', 'ETIMEDOUT', 'collector_timeout'],
    ['read outblob', 'EIO', 'collector_disabled'],
    ['read outblob', 'ENOTTY', 'collector_disabled'],
    ['read outblob', 'ENXIO', 'provider_missing'],
    ['read auxblob', 'EFBIG', 'collector_failed'],
  ])('says what it means where %s ends in %s, and removes its entry', async (operation, error, code) => {
    const { kernel, directory } = mountKernel({ failures: { [operation]: error } })
    expect(await codeOf(() => collect(directory))).toBe(code)
    expect(kernel.entries.size).toBe(0)
  })

  it.each(['outblob', 'auxblob'])('notices that somebody else wrote before %s was read', async (moment) => {
    const interfere: KernelOptions['interfere'] = (double, attribute) => {
      if (attribute === moment) double.overwrite(REPORT_DATA)
    }
    expect(await codeOf(() => collect(mountKernel({ interfere }).directory))).toBe('generation_changed')
  })

  it.each([0, 1183])('takes no outblob of %i bytes for a report', async (size) => {
    const { directory } = mountKernel({ report: () => new Uint8Array(size) })
    expect(await codeOf(() => collect(directory))).toBe('collector_failed')
  })
})

describe('the double itself is as strict as the kernel', () => {
  const entry = async (options: Partial<KernelOptions> = {}) => {
    const mounted = mountKernel(options)
    const path = join(mounted.directory, 'entry')
    await mkdir(path)
    return { ...mounted, path, at: (attribute: string) => join(path, attribute) }
  }
  const attribute = { flag: constants.O_WRONLY }

  it('lists the attributes, and counts each write', async () => {
    const { path, at } = await entry()
    expect((await readdir(path)).sort()).toEqual(
      ['inblob', 'outblob', 'auxblob', 'generation', 'provider', 'privlevel', 'privlevel_floor'].sort(),
    )
    await writeFile(at('inblob'), REPORT_DATA, attribute)
    await writeFile(at('privlevel'), '1\n', attribute)
    expect(await readFile(at('generation'), 'utf8')).toBe('2\n')
    await rmdir(path)
    expect(await errorOf(readdir(path))).toBe('ENOENT')
  })

  it('refuses 65 bytes at the write, and says of 63 nothing before the read', async () => {
    const { at } = await entry()
    expect(await errorOf(writeFile(at('inblob'), new Uint8Array(65), attribute))).toBe('EFBIG')
    expect(await errorOf(writeFile(at('inblob'), new Uint8Array(63), attribute))).toBeNull()
    expect(await errorOf(readFile(at('outblob')))).toBe('EINVAL')
  })

  it('delivers inblob at close, and not before', async () => {
    const { at } = await entry()
    const file = await open(at('inblob'), constants.O_WRONLY)
    await file.write(REPORT_DATA)
    expect(await readFile(at('generation'), 'utf8')).toBe('0\n')
    await file.close()
    expect(await readFile(at('generation'), 'utf8')).toBe('1\n')
  })

  it('holds root to the modes of its attributes', async () => {
    const { at } = await entry()
    expect(await errorOf(readFile(at('inblob')))).toBe('EACCES')
    expect(await errorOf(writeFile(at('outblob'), 'x', attribute))).toBe('EACCES')
    expect(await errorOf(writeFile(at('generation'), '7', attribute))).toBe('EACCES')
    expect(await errorOf(writeFile(at('nothing'), 'x', attribute))).toBe('ENOENT')
  })
})
