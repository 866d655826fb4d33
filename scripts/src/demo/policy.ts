import type { JsonObject } from '@parley/protocol'
import { examplePolicy } from '../example-policy.js'

/** MEASUREMENT of the demo's guest: nothing was measured, the simulated processor just says so. 48 octets, hex. */
export const DEMO_MEASUREMENT = 'd3'.repeat(48)

const any = (reason: string): JsonObject => ({ any: reason })

const milan = (): JsonObject => ({
  ...examplePolicy(),
  products: ['Milan'],
  measurement: { equals: DEMO_MEASUREMENT },
  committed_equals_current: 'require',
  chip_id: any('any chip will do in the demo'),
})

/** What a demo participant expects of the relay: everything that this build determines. */
export function demoPolicy(expected: {
  readonly lane: 'confidential' | 'software'
  readonly version: string
  readonly policyBundleHash: string
  readonly profileHash: string
  /** Pinned in the software lane, where nothing else vouches for it. */
  readonly receiptKey: string
}): JsonObject {
  const confidential = expected.lane === 'confidential'
  return {
    version: 'parley-policy-v1',
    minimum_assurance: confidential ? 'TEE_ATTESTED' : 'SELF_ASSERTED',
    accept_simulated: confidential,
    hardware: confidential ? milan() : null,
    relay: {
      version: { equals: expected.version },
      image_digest: { equals: null },
      policy_bundle_hash: { equals: expected.policyBundleHash },
      profile_hash: { equals: expected.profileHash },
      receipt_key: confidential ? any('attested by the report') : { equals: expected.receiptKey },
    },
    waive: [],
  }
}
