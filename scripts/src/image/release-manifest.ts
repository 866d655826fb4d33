import { readFileSync } from 'node:fs'
import { expectedLaunchDigest } from '@parley/attestation'
import { loadPolicyBundle } from '@parley/enclave'
import { type ReleaseManifest, toHex } from '@parley/protocol'
import { inRepository } from '../demo/paths.js'
import { authenticodeDigest } from './authenticode-digest.js'
import type { Image } from './build-image.js'
import { readDebPins } from './deb-pins.js'
import { predictPcrs } from './predict-pcrs.js'
import { sha256Hex } from './sha256-hex.js'

type Unsigned = Omit<ReleaseManifest, 'signature'>

/** The machine that launch digests are computed for; another one has another digest. */
const LAUNCH = { vmm: 'qemu', vcpuType: 'EPYC-Milan', guestFeatures: 1n } as const
const VCPUS = [1, 2, 4, 8]

/**
 * What is to be said of an image; all of it follows from the image and the repository.
 * @param firmware firmware that measures what it boots (OVMF's AmdSev build), for launch digests; null for none
 */
export async function releaseManifestOf(
  image: Image,
  sbom: string,
  release: string,
  firmware: Uint8Array | null,
): Promise<Unsigned> {
  const bundle = loadPolicyBundle(inRepository('infra/policy'), 'confidential')
  return {
    version: 'parley-release-v1',
    release,
    image_digest: image.imageDigest,
    policy_bundle_hash: bundle.hash,
    profile_hash: bundle.profile.hash,
    uki: {
      sha256: sha256Hex(image.uki),
      authenticode: toHex(authenticodeDigest(image.uki)),
      command_line: sha256Hex(image.cmdline),
    },
    pcrs: predictPcrs(image.uki),
    direct_launch: await directLaunch(image, firmware),
    inputs: inputsOf(image),
    sbom: sha256Hex(sbom),
  }
}

async function directLaunch(
  { kernel, initrd, cmdline }: Image,
  firmware: Uint8Array | null,
): Promise<Unsigned['direct_launch']> {
  const launches =
    firmware === null ? [] : VCPUS.map((vcpus) => launchOf({ kernel, initrd, cmdline }, firmware, vcpus))
  return {
    kernel: sha256Hex(kernel),
    initrd: sha256Hex(initrd),
    command_line: sha256Hex(`${cmdline}\0`),
    launches: await Promise.all(launches),
  }
}

async function launchOf(
  { kernel, initrd, cmdline }: Pick<Image, 'kernel' | 'initrd' | 'cmdline'>,
  ovmf: Uint8Array,
  vcpus: number,
): Promise<Unsigned['direct_launch']['launches'][number]> {
  const { digest } = await expectedLaunchDigest({ ovmf, kernel, initrd, append: cmdline, vcpus, ...LAUNCH })
  return {
    firmware: sha256Hex(ovmf),
    vmm: LAUNCH.vmm,
    vcpu_type: LAUNCH.vcpuType,
    vcpus,
    guest_features: LAUNCH.guestFeatures.toString(16).padStart(16, '0'),
    measurement: toHex(digest),
  }
}

/** Packages by what they are pinned to, and the lockfiles that pin the rest. */
function inputsOf({ node }: Image): Unsigned['inputs'] {
  const file = (name: string, path: string): Unsigned['inputs'][number] => ({
    name,
    version: 'file',
    sha256: sha256Hex(readFileSync(path)),
  })
  const debs = readDebPins().filter(({ use }) => use === 'image' || use === 'tools')
  return [
    ...debs.map(({ package: name, version, sha256 }) => ({ name, version, sha256 })),
    file('node', node),
    file('package-lock.json', inRepository('package-lock.json')),
    file('infra/node24/package-lock.json', inRepository('infra/node24/package-lock.json')),
    file('infra/image/debs.json', inRepository('infra/image/debs.json')),
  ]
}
