import { describe, expect, test } from 'vitest'
import { expectedLaunchDigest } from '../../src/measure/expected-launch-digest.js'
import { explainLaunchDigest } from '../../src/measure/explain-launch-digest.js'
import { parseFirmware } from '../../src/measure/firmware.js'
import { hashPayload } from '../../src/measure/kernel-hashes.js'
import type { LaunchInput } from '../../src/measure/launch.js'
import { emptyLaunchDigest, extendWithRegion, extendWithVcpu } from '../../src/measure/launch-digest.js'
import type { LaunchDifference } from '../../src/measure/launch-difference.js'
import { imageRegion, metadataRegions } from '../../src/measure/launch-regions.js'
import { vcpuDigests } from '../../src/measure/vcpu-digests.js'
import { firmwareImage, MEASURED_BOOT } from './firmware-image.js'
import { refusedAs } from './refused-as.js'

// With one processor only, a search takes a few hundred launches instead of sixty thousand.
const OVMF = firmwareImage({ ...MEASURED_BOOT, resetEip: null })
const KERNEL = Buffer.from('a kernel')
const INITRD = Buffer.from('a file system')

const PAYLOAD = { kernel: KERNEL, initrd: INITRD, append: 'console=ttyS0 ' }
const DISK: LaunchInput = { ovmf: OVMF, vcpus: 1, vcpuType: 'EPYC-Milan', vmm: 'qemu', guestFeatures: 1n }
const INPUT: LaunchInput = { ...DISK, ...PAYLOAD }

/** A launch by a host that does not do what the inputs of this package can say. */
const launchedWith = async (cmdline: string, fpuReset = true): Promise<Uint8Array> => {
  const firmware = parseFirmware(OVMF)
  const hashes = await hashPayload({ kernel: KERNEL, initrd: INITRD, cmdline: Buffer.from(cmdline) })
  let digest = await extendWithRegion(emptyLaunchDigest(), imageRegion(firmware))
  for (const region of metadataRegions(firmware, 'qemu', hashes))
    digest = await extendWithRegion(digest, region)
  const state = { vmm: 'qemu', signature: 0xa00f11, guestFeatures: 1n, fpuReset } as const
  return extendWithVcpu(digest, (await vcpuDigests(state, null)).first)
}

const launched = async (change: Partial<LaunchInput>): Promise<Uint8Array> =>
  (await expectedLaunchDigest({ ...INPUT, ...change })).digest

const differencesIn = async (
  digest: Uint8Array,
  input = INPUT,
): Promise<readonly (readonly LaunchDifference[])[]> =>
  (await explainLaunchDigest(input, digest)).explanations

test('the expected digest matches, and nothing differs', async () => {
  expect(await explainLaunchDigest(INPUT, await launched({}))).toMatchObject({
    matches: true,
    explanations: [[]],
  })
})

describe('one thing that differs is named', () => {
  test.each<[string, Partial<LaunchInput>, LaunchDifference]>([
    [
      'the vcpu type',
      { vcpuType: 'EPYC-Genoa' },
      { input: 'vcpu_signature', given: '0xa00f11 (EPYC-Milan)', found: '0xa10f10 (EPYC-Genoa)' },
    ],
    ['the VMM', { vmm: 'ec2' }, { input: 'vmm', given: 'qemu', found: 'ec2' }],
    ['debug swap', { guestFeatures: 0x21n }, { input: 'guest_features', given: '0x1', found: '0x21' }],
    ['an empty command line', { append: '' }, { input: 'append', given: 'as given', found: 'empty' }],
    ['no initrd', { initrd: new Uint8Array() }, { input: 'initrd', given: 'as given', found: 'absent' }],
  ])('%s', async (_, change, difference) => {
    expect(await differencesIn(await launched(change))).toEqual([[difference]])
  })

  test.each([
    ['console=ttyS0 ', 'without the NUL at its end'],
    ['console=ttyS0 \0\0', 'with a second NUL at its end'],
    ['console=ttyS0 \n\0', 'with a newline before its NUL'],
    ['console=ttyS0\0', 'without the white space at its end'],
  ])('a command line hashed as %j', async (cmdline, found) => {
    expect(await differencesIn(await launchedWith(cmdline))).toEqual([
      [{ input: 'append', given: 'as given', found }],
    ])
  })

  test('a host with Linux before 6.8', async () => {
    const [[difference] = []] = await differencesIn(await launchedWith('console=ttyS0 \0', false))
    expect(difference).toMatchObject({
      input: 'host_kernel',
      found: expect.stringContaining('before 6.8') as string,
    })
  })

  test('kernel hashes that were not measured', async () => {
    const { digest } = await expectedLaunchDigest(DISK)
    const [[difference] = []] = await differencesIn(digest)
    expect(difference?.input).toBe('kernel_hashes')
  })

  test('a firmware hash that is not the one of the file that was launched', async () => {
    const input = { ...INPUT, ovmfHash: new Uint8Array(48).fill(1) }
    const [[difference] = []] = await differencesIn(await launched({}), input)
    expect(difference?.input).toBe('ovmf_hash')
  })

  test('the number of vcpus, up to 256', async () => {
    const ovmf = firmwareImage(MEASURED_BOOT)
    const { digest } = await expectedLaunchDigest({ ...INPUT, ovmf, vcpus: 256 })
    const explanations = await differencesIn(digest, { ...INPUT, ovmf, vcpus: 2 })
    expect(explanations).toEqual([[{ input: 'vcpus', given: '2', found: '256' }]])
  })
})

test('things that differ together are all named', async () => {
  const digest = await launched({ vcpuType: 'EPYC-v4', guestFeatures: 0x21n, append: '' })
  const [differences = []] = await differencesIn(digest)
  expect(differences.map(({ input }) => input).sort()).toEqual(['append', 'guest_features', 'vcpu_signature'])
})

test('what a VMM leaves out of the state is not named', async () => {
  const digest = await launched({ vmm: 'gce' })
  expect(await differencesIn(digest, { ...INPUT, vcpuType: 'EPYC-Turin' })).toEqual([
    [{ input: 'vmm', given: 'qemu', found: 'gce' }],
  ])
})

test('where the type was not given, the one that QEMU showed is named', async () => {
  const input = { ovmf: OVMF, ...PAYLOAD, vcpus: 1, vmm: 'gce', guestFeatures: 1n }
  const [differences = []] = await differencesIn(await launched({}), input)
  expect(differences.map(({ input, given }) => [input, given])).toEqual([
    ['vmm', 'gce'],
    ['vcpu_signature', 'none'],
  ])
})

test('a digest that no launch has is explained by nothing', async () => {
  const { matches, tried, explanations } = await explainLaunchDigest(INPUT, new Uint8Array(48).fill(7))
  expect({ matches, explanations }).toEqual({ matches: false, explanations: [] })
  expect(tried).toBeGreaterThan(200)
})

test('another kernel is explained by nothing', async () => {
  expect(await differencesIn(await launched({ kernel: Buffer.from('another') }))).toEqual([])
})

test.each([0, 32, 49])('a digest of %i bytes is refused as measurement_input_malformed', async (size) => {
  await refusedAs('measurement_input_malformed', () => explainLaunchDigest(INPUT, new Uint8Array(size)))
})

test('inputs that make no launch are refused before anything is tried', async () => {
  await refusedAs('measurement_input_malformed', () =>
    explainLaunchDigest({ ...INPUT, vcpus: 0 }, new Uint8Array(48)),
  )
})
