import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeGenuine } from '../../../src/index.js'
import { configfsCollector } from '../../../src/node/configfs-tsm/configfs-collector.js'
import { kernelFiles, type TsmFiles } from '../../../src/node/index.js'
import { NOTHING_AT_HAND } from '../../../src/node/read-collateral.js'
import { codeOf, genuineInput } from '../../evidence-folder.js'
import { REPORT_DATA } from '../../policies.js'
import { tableOf } from '../table-of.js'
import { KernelDouble, type KernelOptions } from './kernel-double.js'

const { report, certificates, now, roots } = genuineInput('milan-v3-vcek')

const kernel = (options: Partial<KernelOptions> = {}): KernelDouble =>
  new KernelDouble({ report: () => report, auxblob: tableOf(certificates), ...options })

const open = (files: TsmFiles, directory = '/sys/kernel/config/tsm/report') =>
  configfsCollector({ directory, privilegeLevel: null, files }, NOTHING_AT_HAND)

describe('the collector of configfs-tsm', () => {
  it('brings evidence that is genuine', async () => {
    const files = kernel()
    const collector = await open(files)
    const collected = await collector.collect(REPORT_DATA)
    expect(collector.platform).toBe('sev-snp')
    expect((await judgeGenuine({ ...collected, now, roots })).genuine).toBe(true)
    expect(files.entries.size).toBe(0)
  })

  it('fails where the kernel has no provider, and falls back to nothing', async () => {
    expect(await codeOf(() => open(kernel({ provider: null })))).toBe('provider_missing')
  })

  it('fails where the kernel has no such interface at all', async () => {
    expect(await codeOf(() => open(kernelFiles, join(tmpdir(), 'no-such-directory')))).toBe(
      'provider_missing',
    )
  })

  it('fails in a plain directory, which answers nothing', async () => {
    const plain = mkdtempSync(join(tmpdir(), 'parley-plain-'))
    expect(await codeOf(() => open(kernelFiles, plain))).toBe('provider_missing')
  })

  it('fails where another kind of processor provides reports', async () => {
    expect(await codeOf(() => open(kernel({ provider: 'tdx_guest' })))).toBe('provider_unexpected')
  })
})
