import { hash, type JsonObject, type ProfileName } from '@parley/protocol'
import * as v from 'valibot'
import { RelayError } from '../relay-error.js'
import { policyMalformed, readPolicyForm } from './policy-files.js'
import { SURFACES } from './surfaces.js'

const name = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))

const descriptor = v.strictObject({
  version: v.literal('parley-profile-v1'),
  name: v.picklist(['confidential', 'software', 'embedded']),
  /** Alias of the admitted registry policy that applies where a contract names none. */
  guardian_policy: name,
  /** Confidential only: what the store's key is. Not there: random, and gone with the process. */
  sealing: v.exactOptional(v.literal('snp-derived')),
  surfaces: v.pipe(
    v.array(name),
    v.minLength(1),
    v.check((all) => new Set(all).size === all.length, 'each surface once'),
  ),
})

/** What a profile promises to enforce. */
export type ProfileDescriptor = v.InferOutput<typeof descriptor>

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
}

/**
 * Reads a descriptor.
 * @param expected the profile that the file's name says
 * @throws RelayError `policy_malformed`
 */
export function parseProfileDescriptor(expected: ProfileName, value: JsonObject): ProfileDescriptor {
  const path = `profiles/${expected}.json`
  const read = readPolicyForm(path, descriptor, value)
  if (read.name !== expected) throw policyMalformed(path, 'names another profile')
  if (read.sealing !== undefined && expected !== 'confidential')
    throw policyMalformed(path, 'seals its store without a secure processor')
  return read
}

/**
 * Holds a descriptor to what this build has in that profile: a promise that nobody keeps must not be in a receipt.
 * @throws RelayError `surface_missing`
 */
export function checkSurfaces({ name: profile, surfaces }: ProfileDescriptor): void {
  for (const surface of surfaces)
    if (!Object.hasOwn(SURFACES, surface) || SURFACES[surface]?.includes(profile) !== true)
      throw new RelayError('surface_missing', `profile ${profile}: this build has no surface ${surface}`)
}

/** The profile of a descriptor. */
export function profileOf<Name extends ProfileName>(value: JsonObject, profile: Name): Profile<Name> {
  const sealing = value['sealing'] === 'snp-derived' ? 'snp-derived' : 'memory'
  return { name: profile, hash: hash(value), descriptor: value, sealing }
}
