import { describe, expect, it } from 'vitest'
import { collectFromConfigfsTsm, deriveKey } from '../src/node/index.js'
import { NOTHING_AT_HAND } from '../src/node/read-collateral.js'
import { sevGuestCollector } from '../src/node/sev-guest/sev-guest-collector.js'
import {
  completeCollateral,
  expectedLaunchDigest,
  itemName,
  kdsPath,
  type LaunchInput,
  parseReport,
  vcekItemOf,
} from '../src/index.js'
import { toHex } from '../src/hex.js'
import { DAY_MS, machine, memoryCache, NOW } from './collateral/simulated-kds.js'
import { codeOf, genuineInput } from './evidence-folder.js'
import { DISK_BOOT, firmwareImage, MEASURED_BOOT } from './measure/firmware-image.js'
import { KernelDouble, type KernelOptions } from './node/configfs-tsm/kernel-double.js'
import { DriverDouble } from './node/sev-guest/driver-double.js'
import { REPORT_DATA } from './policies.js'

const { report } = genuineInput('milan-v3-vcek')

// Each of these was a fault of some collector, cache or measuring tool, found in its source or its issue tracker.
describe('faults that others had with the key distribution service', () => {
  const turin = vcekItemOf(parseReport(genuineInput('turin-v5-vcek').report), 'Turin')

  it('a VCEK of Turin is asked for by 16 hexadecimal digits, with fmcSPL', () => {
    expect(kdsPath(turin)).toMatch(
      /^\/vcek\/v1\/Turin\/[0-9a-f]{16}\?fmcSPL=01&blSPL=01&teeSPL=01&snpSPL=04&ucodeSPL=81$/,
    )
  })

  it('two VCEKs that differ in their FMC alone have two names in a cache', () => {
    const other = turin.tcb.map((part, at) => (at === 0 ? part + 1 : part))
    expect(itemName({ ...turin, tcb: other })).not.toBe(itemName(turin))
  })

  it('a VCEK that comes along and is of another TCB is no reason not to ask for the right one', async () => {
    const milan = await machine('Milan')
    const wrong = milan.leafFor({ tcb: Uint8Array.of(3, 0, 0, 0, 0, 0, 8, 115) })
    const asked: string[] = []
    const kds = (path: string): Promise<Uint8Array> => {
      asked.push(path)
      return Promise.resolve(path.endsWith('/crl') ? milan.crl() : milan.leaf)
    }
    const evidence = { report: milan.report, certificates: [wrong, ...milan.chain], crls: [] }
    const { certificates } = await completeCollateral(evidence, {
      now: NOW,
      roots: milan.roots,
      cache: null,
      kds,
    })
    expect(asked.some((path) => path.startsWith('/vcek/v1/Milan/') && path.includes('snpSPL=24'))).toBe(true)
    expect(certificates.map(toHex)).toContain(toHex(milan.leaf))
  })

  it('a CRL past its nextUpdate is never taken from a cache', async () => {
    const milan = await machine('Milan')
    const cache = memoryCache()
    const item = { kind: 'crl', signs: 'vcek', product: 'Milan' } as const
    cache.held.set(itemName(item), milan.crl())
    const evidence = { report: milan.report, certificates: [milan.leaf, ...milan.chain], crls: [] }
    const judge = async (now: number): Promise<unknown> => {
      const terms = { now, roots: milan.roots, cache, kds: null }
      const { items } = await completeCollateral(evidence, terms)
      return items.find(({ name }) => name === itemName(item))?.source
    }
    expect([await judge(NOW), await judge(NOW + 2 * DAY_MS)]).toEqual(['cache', null])
  })
})

describe('faults that others had with collecting', () => {
  const collect = (
    options: Partial<KernelOptions>,
    data = REPORT_DATA,
    privilegeLevel: number | null = null,
  ) => {
    const files = new KernelDouble({ report: () => report, ...options })
    return collectFromConfigfsTsm(data, { directory: '/tsm', privilegeLevel, files })
  }

  it('REPORT_DATA of another size than 64 bytes is refused before the kernel is asked', async () => {
    for (const size of [0, 63, 65])
      expect(await codeOf(() => collect({}, new Uint8Array(size)))).toBe('argument_invalid')
  })

  it('a level under the floor of an SVSM is refused, not written', async () => {
    expect(await codeOf(() => collect({ floor: 2 }, REPORT_DATA, 0))).toBe('privilege_level_refused')
  })

  it('an empty outblob is no report, and a report of zeros is none over the data', async () => {
    expect(await codeOf(() => collect({ report: () => new Uint8Array() }))).toBe('collector_failed')
    expect(await codeOf(() => collect({ report: () => new Uint8Array(1184) }))).toBe('report_data_changed')
  })

  it('a write that close() lost is noticed by its generation', async () => {
    expect(await codeOf(() => collect({ failures: { 'close inblob': 'EBUSY' } }))).toBe('generation_changed')
  })

  it('a failed request wipes the key of the driver: what follows is disabled, not tried again', async () => {
    const double = new DriverDouble({ report: () => report, firmwareError: 0x1d })
    const collector = await sevGuestCollector(
      { path: '/dev/sev-guest', privilegeLevel: null, hostCertificates: false, open: double.open },
      NOTHING_AT_HAND,
    )
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('firmware_refused')
    double.options.firmwareError = 0
    expect(await codeOf(() => collector.collect(REPORT_DATA))).toBe('collector_disabled')
  })

  it('a derived key depends on all eight bytes of a TCB, not on its bootloader alone', async () => {
    const double = new DriverDouble({ report: () => report, key: () => new Uint8Array(32).fill(9) })
    const tcbVersion = Uint8Array.of(4, 0, 0, 0, 0, 0, 24, 219)
    const wanted = { root: 'vcek', fields: ['tcb_version'], vmpl: 0, guestSvn: 0, tcbVersion } as const
    await deriveKey(wanted, '/dev/sev-guest', double.open)
    expect(toHex(double.asked[0]?.request ?? new Uint8Array())).toContain(toHex(tcbVersion))
  })
})

describe('faults that others had with measuring a launch', () => {
  const INPUT: LaunchInput = {
    ovmf: firmwareImage(MEASURED_BOOT),
    vcpus: 1,
    vcpuType: 'EPYC-Milan',
    vmm: 'qemu',
    guestFeatures: 1n,
  }
  const digest = async (changes: Partial<LaunchInput> = {}): Promise<string> =>
    toHex((await expectedLaunchDigest({ ...INPUT, ...changes })).digest)

  it('a page for the calling area of an SVSM (type 4) is measured; an unknown type is refused', async () => {
    const withSection = (type: number): Uint8Array =>
      firmwareImage({
        ...DISK_BOOT,
        sections: [...DISK_BOOT.sections, { type, gpa: 0x810000, size: 0x1000 }],
      })
    expect(await digest({ ovmf: withSection(4) })).not.toBe(await digest({ ovmf: firmwareImage(DISK_BOOT) }))
    expect(await codeOf(() => digest({ ovmf: withSection(5) }))).toBe('firmware_malformed')
  })

  it('guest features, the kind of VMM and of vCPU all count', async () => {
    const digests = await Promise.all([
      digest(),
      digest({ guestFeatures: 0x21n }),
      digest({ vmm: 'ec2' }),
      digest({ vmm: 'gce' }),
      digest({ vcpuType: 'EPYC-Genoa' }),
    ])
    expect(new Set(digests).size).toBe(digests.length)
  })
})
