import { hash, type JsonObject, type ProfileName } from '@parley/protocol'
import * as v from 'valibot'
import { RelayError } from '../relay-error.js'
import { policyMalformed } from './policy-files.js'
import { SURFACES } from './surfaces.js'

const name = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))

const descriptor = v.strictObject({
  version: v.literal('parley-profile-v1'),
  name: v.picklist(['confidential', 'software', 'embedded']),
  /** Name of the file under `guardian/` that applies where a contract names no policy. */
  guardian_policy: name,
  surfaces: v.pipe(
    v.array(name),
    v.minLength(1),
    v.check((all) => new Set(all).size === all.length, 'each surface once'),
  ),
})

/** What a profile promises to enforce. */
export type ProfileDescriptor = v.InferOutput<typeof descriptor>

/** A profile that a relay can run, and the digest of its descriptor. */
export type Profile = {
  readonly name: Exclude<ProfileName, 'embedded'>
  readonly hash: string
  readonly descriptor: JsonObject
}

/**
 * Reads a descriptor.
 * @param expected the profile that the file's name says
 * @throws RelayError `policy_malformed`
 */
export function parseProfileDescriptor(expected: ProfileName, value: JsonObject): ProfileDescriptor {
  const path = `profiles/${expected}.json`
  const result = v.safeParse(descriptor, value, { abortEarly: true })
  if (!result.success)
    throw policyMalformed(path, `has a wrong member: ${v.getDotPath(result.issues[0]) ?? '(root)'}`)
  if (result.output.name !== expected) throw policyMalformed(path, 'names another profile')
  return result.output
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
export function profileOf(value: JsonObject, profile: Profile['name']): Profile {
  return { name: profile, hash: hash(value), descriptor: value }
}
