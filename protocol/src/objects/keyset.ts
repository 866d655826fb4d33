import * as v from 'valibot'
import { labelledDigest } from '../digest.js'
import { toHex } from '../bytes.js'
import type { JsonValue } from '../json-value.js'
import { label } from '../labels.js'
import { decode } from './decode.js'
import { base64url, base64urlUpTo, digest, hex, lane, time } from './formats.js'

export const profileName = v.picklist(['confidential', 'software', 'embedded'])

const release = v.strictObject({
  version: v.pipe(v.string(), v.regex(/^[0-9A-Za-z.+-]{1,64}$/, 'version')),
  image_digest: v.nullable(digest),
  policy_bundle_hash: digest,
  profile: profileName,
  profile_hash: digest,
})

export const keyset = v.strictObject({
  version: v.literal('parley-keyset-v1'),
  lane,
  platform: v.picklist(['sev-snp', 'software']),
  epoch: hex(16),
  ohttp_keys: base64urlUpTo(1024),
  receipt_key: base64url(32),
  log_key: base64url(32),
  boot_ak: v.nullable(digest),
  release,
  not_before: time,
  not_after: time,
  previous: v.nullable(digest),
})

/** The keys that a relay made at boot and what it says of itself (SPEC §7). Proven only by evidence. */
export type Keyset = v.InferOutput<typeof keyset>

/** A deployment profile: which enforcement surfaces the relay has. */
export type ProfileName = v.InferOutput<typeof profileName>

const coherentKeyset = v.pipe(
  keyset,
  v.check(
    (read) => (read.lane === 'confidential') === (read.platform === 'sev-snp'),
    'lane and platform agree',
  ),
  v.check((read) => read.not_before < read.not_after, 'not_before is before not_after'),
)

/**
 * Reads a keyset.
 * @throws ProtocolError object_malformed; also where lane and platform disagree.
 */
export function parseKeyset(value: JsonValue): Keyset {
  return decode(coherentKeyset, value, 'keyset')
}

/** Lower-case hex SHA-256 of the labelled keyset. */
export function keysetDigest(read: Keyset): string {
  return toHex(labelledDigest(label(read.lane, 'keyset'), read))
}
