import { isDid, type JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { readBundleForm } from './read-bundle-form.js'

const did = v.pipe(v.string(), v.maxLength(128), v.check(isDid))

const provisioning = v.strictObject({
  version: v.literal('parley-provisioning-v1'),
  authorities: v.pipe(
    v.array(did),
    v.minLength(1),
    v.maxLength(8),
    v.check((all) => new Set(all).size === all.length, 'each authority once'),
  ),
})

/**
 * Reads `provisioning.json`: the DIDs of those who may give a confidential relay its secrets.
 * @throws ProtocolError `object_malformed`
 */
export const parseAuthorities = (value: JsonValue): readonly string[] =>
  readBundleForm(provisioning, value).authorities
