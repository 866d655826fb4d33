import { hashPayload } from './kernel-hashes.js'
import { type Launch, type LaunchInput, readLaunch } from './launch.js'
import { emptyLaunchDigest, extendWithRegion, extendWithVcpu } from './launch-digest.js'
import { imageRegion, metadataRegions, type Region } from './launch-regions.js'
import type { PageType } from './page-info.js'
import { vcpuDigests } from './vcpu-digests.js'

/** A part of a launch, with the digest as it stands after it. */
export type LaunchStep = {
  readonly name: string
  readonly type: PageType
  readonly pages: number
  /** 48 bytes. */
  readonly digest: Uint8Array
}

/** What the report of a guest says as its MEASUREMENT, and how it comes about. */
export type LaunchDigest = {
  /** 48 bytes. */
  readonly digest: Uint8Array
  readonly steps: readonly LaunchStep[]
}

const stepOf = ({ name, type, pages }: Region, digest: Uint8Array): LaunchStep => ({
  name,
  type,
  pages,
  digest,
})

const imageStep = async ({ firmware, ovmfHash }: Launch): Promise<LaunchStep> => {
  const region = imageRegion(firmware)
  return stepOf(region, ovmfHash ?? (await extendWithRegion(emptyLaunchDigest(), region)))
}

const metadataSteps = async (regions: readonly Region[], start: Uint8Array): Promise<LaunchStep[]> => {
  const steps: LaunchStep[] = []
  let digest = start
  for (const region of regions) {
    digest = await extendWithRegion(digest, region)
    steps.push(stepOf(region, digest))
  }
  return steps
}

const vcpuStep = async (
  name: string,
  count: number,
  page: Uint8Array,
  start: Uint8Array,
): Promise<LaunchStep> => {
  let digest = start
  for (let at = 0; at < count; at++) digest = await extendWithVcpu(digest, page)
  return { name, type: 'VMSA', pages: count, digest }
}

/**
 * The launch digest that the secure processor computes for a guest: firmware image, the pages that the firmware asks
 * for with the hashes of kernel, initrd and command line, then the state of each processor. Nothing of it is
 * secret, and nothing is trusted: whoever compares it with a report trusts the inputs given here. For QEMU the
 * host's kernel is taken to be Linux 6.8 or later.
 * @param input what the guest is launched with
 * @returns the digest (48 bytes) and the digest after each part
 * @throws AttestationError firmware_malformed, measurement_input_malformed
 * @see AMD 56860, SEV Secure Nested Paging Firmware ABI, SNP_LAUNCH_UPDATE and PAGE_INFO
 */
export const expectedLaunchDigest = async (input: LaunchInput): Promise<LaunchDigest> => {
  const launch = readLaunch(input)
  const image = await imageStep(launch)
  const hashes = launch.payload === null ? null : await hashPayload(launch.payload)
  const regions = metadataRegions(launch.firmware, launch.vmm, hashes)
  const metadata = await metadataSteps(regions, image.digest)
  const pages = await vcpuDigests({ ...launch, fpuReset: true }, launch.firmware.resetEip)
  const first = await vcpuStep('first vcpu', 1, pages.first, metadata.at(-1)?.digest ?? image.digest)
  // Without another processor this is no page, and the digest stays.
  const others = await vcpuStep('other vcpus', launch.vcpus - 1, pages.other ?? pages.first, first.digest)
  return { digest: others.digest, steps: [image, ...metadata, first, others] }
}
