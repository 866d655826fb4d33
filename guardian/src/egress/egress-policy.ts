import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { REGIONS } from '../classification/residency-policy.js'
import { eachOnce } from '../each-once.js'
import { readBundleForm } from '../bundle/read-bundle-form.js'
import { isHostPattern } from './host-pattern.js'

const host = v.pipe(v.string(), v.check(isHostPattern))
const port = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(65_535))

const allowed = v.strictObject({ host, port, region: v.picklist(REGIONS) })

const lists = v.strictObject({
  version: v.literal('parley-egress-v1'),
  allowed_hosts: v.pipe(
    v.array(allowed),
    v.maxLength(256),
    v.check((all) => eachOnce(all.map((each) => `${each.host}:${each.port}`)), 'each once'),
  ),
  forbidden_hosts: v.pipe(
    v.array(host),
    v.maxLength(256),
    v.check((all) => eachOnce(all), 'each once'),
  ),
})

const egressPolicy = v.pipe(
  lists,
  v.check(
    ({ allowed_hosts, forbidden_hosts }) =>
      !allowed_hosts.some((each) => forbidden_hosts.includes(each.host)),
    'no host in both lists',
  ),
)

/** Which hosts may be reached. What is not listed may not. */
export type EgressPolicy = v.InferOutput<typeof egressPolicy>

/**
 * Reads `egress.json`. A policy that allows by default cannot be written.
 * @throws ProtocolError `object_malformed`, also on a host in both lists
 * @see protocol SPEC "Classification and egress"
 */
export const parseEgressPolicy = (value: JsonValue): EgressPolicy => readBundleForm(egressPolicy, value)

/** No host: what applies where nothing is said. */
export const NO_EGRESS: EgressPolicy = { version: 'parley-egress-v1', allowed_hosts: [], forbidden_hosts: [] }
