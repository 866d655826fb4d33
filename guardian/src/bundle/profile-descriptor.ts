import { type JsonValue, type ProfileName, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { readBundleForm } from './read-bundle-form.js'
import { SURFACES } from './surfaces.js'

const name = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))

const descriptor = v.strictObject({
  version: v.literal('parley-profile-v1'),
  name: v.picklist(['confidential', 'software', 'embedded']),
  /** Alias of the admitted registry policy that applies where a contract names none. */
  guardian_policy: name,
  /** Confidential only: what the store's key is. Not there: random, and gone with the process. */
  sealing: v.exactOptional(v.literal('snp-derived')),
  /** Confidential only: the launch measurement ends at the firmware, and a TPM attests what that started (SPEC §28). */
  launch_covers: v.exactOptional(v.literal('firmware')),
  surfaces: v.pipe(
    v.array(name),
    v.minLength(1),
    v.check((all) => new Set(all).size === all.length, 'each surface once'),
  ),
})

/** What a profile promises to enforce. */
export type ProfileDescriptor = v.InferOutput<typeof descriptor>

/**
 * Reads the descriptor of a profile.
 * @param expected the profile that the file's name says
 * @throws ProtocolError `object_malformed`
 */
export const parseProfileDescriptor = (expected: ProfileName, value: JsonValue): ProfileDescriptor => {
  const read = readBundleForm(descriptor, value)
  if (read.name !== expected) throw new ProtocolError('object_malformed', '/name is another profile')
  if (read.sealing !== undefined && expected !== 'confidential')
    throw new ProtocolError('object_malformed', '/sealing seals a store without a secure processor')
  if (read.launch_covers !== undefined && expected !== 'confidential')
    throw new ProtocolError(
      'object_malformed',
      '/launch_covers speaks of a launch without a secure processor',
    )
  // Whatever else the same firmware starts on that chip would be given the same key.
  if (read.launch_covers !== undefined && read.sealing !== undefined)
    throw new ProtocolError('object_malformed', '/sealing is to a launch that does not cover the application')
  return read
}

/** The surfaces that a descriptor promises and this build lacks in its profile: nobody would keep the promise. */
export const missingSurfaces = ({ name: profile, surfaces }: ProfileDescriptor): readonly string[] =>
  surfaces.filter(
    (surface) => !Object.hasOwn(SURFACES, surface) || SURFACES[surface]?.includes(profile) !== true,
  )
