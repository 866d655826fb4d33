import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { type Launch, type LaunchInput, readLaunch } from './launch.js'
import { combine, type LaunchDifference, type Variant } from './launch-difference.js'
import { emptyLaunchDigest, extendWithRegion, extendWithVcpu } from './launch-digest.js'
import { imageRegion, metadataRegions } from './launch-regions.js'
import { DIGEST_BYTES } from './page-info.js'
import { payloadVariants } from './payload-variants.js'
import { stateVariants, vmmVariants } from './state-variants.js'
import { type VcpuDigests, vcpuDigests } from './vcpu-digests.js'
import { VMMS, type Vmm } from './vmm.js'

/** Why a launch digest is not the expected one. */
export type LaunchExplanation = {
  /** True where the inputs as given produce the digest. */
  readonly matches: boolean
  /** How many launches were computed. */
  readonly tried: number
  /**
   * The sets of differences that reproduce the digest, only those with the fewest. One empty set where it matches;
   * none where no launch that was tried has this digest.
   */
  readonly explanations: readonly (readonly LaunchDifference[])[]
}

const VCPUS_TRIED = 256

const vcpusDifference = (given: number, found: number): LaunchDifference => ({
  input: 'vcpus',
  given: String(given),
  found: String(found),
})

const imageVariants = async ({ firmware, ovmfHash }: Launch): Promise<readonly Variant<Uint8Array>[]> => {
  const own = await extendWithRegion(emptyLaunchDigest(), imageRegion(firmware))
  if (ovmfHash === null || equalBytes(ovmfHash, own)) return [{ value: own, differences: [] }]
  const instead = { input: 'ovmf_hash', given: 'as given', found: 'that of the firmware file' } as const
  return [
    { value: ovmfHash, differences: [] },
    { value: own, differences: [instead] },
  ]
}

type Start = { readonly vmm: Vmm; readonly digest: Uint8Array }

/** Everything up to the processors. */
const startVariants = async (launch: Launch): Promise<readonly Variant<Start>[]> => {
  const { firmware } = launch
  const payloads = await payloadVariants(launch.payload)
  const images = await imageVariants(launch)
  const inputs = combine(vmmVariants(launch), payloads, (vmm, payload) => ({ vmm, payload }))
  const all = combine(images, inputs, (image, { vmm, payload }) => ({ image, vmm, payload }))
  const launched = all.map(async ({ value: { image, vmm, payload }, differences }) => {
    let digest = image
    for (const region of metadataRegions(firmware, vmm, payload))
      digest = await extendWithRegion(digest, region)
    return { value: { vmm, digest }, differences }
  })
  return Promise.all(launched)
}

type Chain = { readonly start: Uint8Array; readonly pages: VcpuDigests }

const chainVariants = async (launch: Launch): Promise<readonly Variant<Chain>[]> => {
  const starts = await startVariants(launch)
  const ofVmm = VMMS.map(async (vmm) => {
    const states = stateVariants(launch, vmm).map(async ({ value, differences }) => ({
      value: await vcpuDigests(value, launch.firmware.resetEip),
      differences,
    }))
    const own = starts.filter(({ value }) => value.vmm === vmm)
    return combine(own, await Promise.all(states), ({ digest }, pages) => ({ start: digest, pages }))
  })
  return (await Promise.all(ofVmm)).flat()
}

/** The numbers of processors with which one chain reaches the digest. */
const countsThatReach = async (
  wanted: Uint8Array,
  { start, pages }: Chain,
  most: number,
): Promise<number[]> => {
  const counts: number[] = []
  let digest = await extendWithVcpu(start, pages.first)
  for (let vcpus = 1; ; vcpus++) {
    if (equalBytes(digest, wanted)) counts.push(vcpus)
    if (vcpus === most || pages.other === null) return counts
    digest = await extendWithVcpu(digest, pages.other)
  }
}

const fewest = (
  found: readonly (readonly LaunchDifference[])[],
): readonly (readonly LaunchDifference[])[] => {
  const least = Math.min(...found.map((differences) => differences.length))
  return found.filter((differences) => differences.length === least)
}

/**
 * Looks for what is different about a launch that has another digest than the expected one: the VMM, the number of
 * processors (1 to 256) and their type, the guest features, the host's kernel, and the usual mistakes with kernel
 * hashes, command line, initrd and firmware hash, in every combination. A launch that is found only says that these
 * inputs would produce the digest, not that they are what should run.
 * @param input what the guest was thought to be launched with
 * @param digest the MEASUREMENT of its report, 48 bytes
 * @throws AttestationError firmware_malformed, measurement_input_malformed
 */
export const explainLaunchDigest = async (
  input: LaunchInput,
  digest: Uint8Array,
): Promise<LaunchExplanation> => {
  if (digest.length !== DIGEST_BYTES) {
    throw new AttestationError('measurement_input_malformed', `a launch digest of ${digest.length} bytes`)
  }
  const launch = readLaunch(input)
  const most = launch.firmware.resetEip === null ? 1 : Math.max(VCPUS_TRIED, launch.vcpus)
  const chains = await chainVariants(launch)
  const found = chains.map(async ({ value, differences }) =>
    (await countsThatReach(digest, value, most)).map((count) =>
      count === launch.vcpus ? differences : [...differences, vcpusDifference(launch.vcpus, count)],
    ),
  )
  const explanations = fewest((await Promise.all(found)).flat())
  return { matches: explanations[0]?.length === 0, tried: chains.length * most, explanations }
}
