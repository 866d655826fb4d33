import * as v from 'valibot'
import type { Ed25519PublicKey, SigningKey } from '../ed25519.js'
import type { JsonValue } from '../json-value.js'
import { label } from '../labels.js'
import { signObject, verifyObject } from '../signed-object.js'
import { decode } from './decode.js'
import { base64url, digest, hex, integer, text } from './formats.js'

/** No image is made of more parts. */
const MOST_INPUTS = 1024
const MOST_LAUNCHES = 64

const input = v.strictObject({ name: text(128), version: text(128), sha256: digest })

const launch = v.strictObject({
  firmware: digest,
  vmm: v.picklist(['qemu', 'ec2', 'gce']),
  vcpu_type: text(64),
  vcpus: integer(1, 4096),
  guest_features: hex(8),
  measurement: hex(48),
})

const releaseManifest = v.strictObject({
  version: v.literal('parley-release-v1'),
  release: text(64),
  image_digest: digest,
  policy_bundle_hash: digest,
  profile_hash: digest,
  uki: v.strictObject({ sha256: digest, authenticode: digest, command_line: digest }),
  pcrs: v.strictObject({ '4': digest, '9': digest, '11': digest, '12': digest }),
  direct_launch: v.strictObject({
    kernel: digest,
    initrd: digest,
    command_line: digest,
    launches: v.pipe(v.array(launch), v.maxLength(MOST_LAUNCHES)),
  }),
  inputs: v.pipe(v.array(input), v.minLength(1), v.maxLength(MOST_INPUTS)),
  sbom: digest,
  signature: base64url(64),
})

/** What a publisher says of one release of the measured image (SPEC §27). */
export type ReleaseManifest = v.InferOutput<typeof releaseManifest>

/**
 * Reads a manifest. It names no key: who published it is for the reader to know.
 * @throws ProtocolError object_malformed
 */
export const parseReleaseManifest = (value: JsonValue): ReleaseManifest =>
  decode(releaseManifest, value, 'release manifest')

/** Signs a manifest with the publisher's key. */
export const signReleaseManifest = (
  unsigned: Omit<ReleaseManifest, 'signature'>,
  key: SigningKey,
): ReleaseManifest => ({ ...unsigned, signature: signObject(LABEL, unsigned, key) })

/**
 * Verifies a manifest under its publisher's key.
 * @throws ProtocolError signature_invalid
 */
export function verifyReleaseManifest(read: ReleaseManifest, key: Ed25519PublicKey): void {
  const { signature, ...unsigned } = read
  verifyObject(LABEL, unsigned, signature, key)
}

/** An image runs in the confidential lane alone. */
const LABEL = label('confidential', 'release')
