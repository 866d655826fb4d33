import type { JsonObject, ReleaseManifest } from '@parley/protocol'
import { examplePolicy } from '../example-policy.js'

/**
 * What participants expect of a relay of this release on Google Cloud. Launch ends at Google's firmware there, so what
 * was booted and what runs rest on Google's TPM.
 * @param measurement of Google's firmware, from its endorsement: 48 octets, hex
 */
export function gcpReferenceValues(
  manifest: Omit<ReleaseManifest, 'signature'>,
  measurement: string,
): JsonObject {
  const { uki, pcrs, release, image_digest, policy_bundle_hash, profile_hash } = manifest
  return {
    version: 'parley-policy-v1',
    minimum_assurance: 'TEE_ATTESTED',
    accept_simulated: false,
    hardware: {
      ...examplePolicy(),
      products: ['Milan'],
      measurement: { equals: measurement },
      launch_covers: 'firmware',
    },
    boot: {
      accept: { launch: ['amd'], boot: ['google'], app: ['google'] },
      pcrs: Object.fromEntries(Object.entries(pcrs).map(([index, value]) => [index, { equals: value }])),
      secure_boot: 'required',
      uki: { equals: uki.authenticode },
      inner_kernels: [],
      command_line: { equals: uki.command_line },
    },
    relay: {
      version: { equals: release },
      image_digest: { equals: image_digest },
      policy_bundle_hash: { equals: policy_bundle_hash },
      profile_hash: { equals: profile_hash },
      receipt_key: { any: 'attested by the report' },
    },
    waive: [],
  }
}
