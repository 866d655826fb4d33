import { missingSurfaces, parseProfileDescriptor as parse, type ProfileDescriptor } from '@parley/guardian'
import { hash, type JsonObject, type ProfileName } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { parsedOr } from './policy-files.js'

export type { ProfileDescriptor } from '@parley/guardian'

/** The profiles with a listener. */
export type HostedName = Exclude<ProfileName, 'embedded'>

/** A profile, and the digest of its descriptor; unless said otherwise one that a relay with a listener runs. */
export type Profile<Name extends ProfileName = HostedName> = {
  readonly name: Name
  readonly hash: string
  readonly descriptor: JsonObject
  /**
   * `memory`: the store's key ends with the process. `snp-derived`: the processor derives it for whatever guest has the
   * same measurement, policy and TCB on the same chip; only for a launch that measures kernel, initrd and command line.
   */
  readonly sealing: 'memory' | 'snp-derived'
  /** Whether the launch measurement ends at the firmware. Then a TPM must attest the boot beside every report. */
  readonly launchCovers: 'app' | 'firmware'
}

/**
 * Reads a descriptor.
 * @param expected the profile that the file's name says
 * @throws RelayError `policy_malformed`
 */
export const parseProfileDescriptor = (expected: ProfileName, value: JsonObject): ProfileDescriptor =>
  parsedOr(`profiles/${expected}.json`, () => parse(expected, value))

/**
 * Holds a descriptor to what this build has in that profile: a promise that nobody keeps must not be in a receipt.
 * @throws RelayError `surface_missing`
 */
export function checkSurfaces(descriptor: ProfileDescriptor): void {
  const [surface] = missingSurfaces(descriptor)
  if (surface !== undefined)
    throw new RelayError(
      'surface_missing',
      `profile ${descriptor.name}: this build has no surface ${surface}`,
    )
}

/** The profile of a descriptor. */
export function profileOf<Name extends ProfileName>(value: JsonObject, profile: Name): Profile<Name> {
  const sealing = value['sealing'] === 'snp-derived' ? 'snp-derived' : 'memory'
  const launchCovers = value['launch_covers'] === 'firmware' ? 'firmware' : 'app'
  return { name: profile, hash: hash(value), descriptor: value, sealing, launchCovers }
}
