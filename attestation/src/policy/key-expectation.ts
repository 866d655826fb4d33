import * as v from 'valibot'
import { fromBase64 } from '../base64.js'
import { equalBytes } from '../equal-bytes.js'
import { amdKeyDigest, encodeAmdKey } from '../id-block/amd-key.js'
import {
  type Expectation,
  type IdentityExpectation,
  identityExpectation,
  meets,
  someOf,
} from './expectation.js'

/** One of these P-384 keys, each a SubjectPublicKeyInfo in base64. */
export type KeyList = { readonly of_keys: readonly string[] }

const POINT_AT = 23

// An uncompressed point: the first 24 of 120 bytes are always the same.
const spki = v.pipe(v.string(), v.regex(/^MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE[A-Za-z0-9+/]{128}$/))

/** The form of an expectation of a key, of which the report has a digest. */
export const keyExpectation: v.GenericSchema<unknown, IdentityExpectation | KeyList> = v.union([
  identityExpectation(48),
  v.strictObject({ of_keys: someOf(spki) }),
])

const digestOf = (key: string): Promise<Uint8Array> =>
  amdKeyDigest(encodeAmdKey((fromBase64(key) ?? new Uint8Array()).subarray(POINT_AT)))

/** Whether the digest of a key is what is expected. */
export const meetsKey = async (expected: Expectation | KeyList, actual: Uint8Array): Promise<boolean> => {
  if (!('of_keys' in expected)) return meets(expected, actual)
  const digests = await Promise.all(expected.of_keys.map(digestOf))
  return digests.some((digest) => equalBytes(digest, actual))
}
