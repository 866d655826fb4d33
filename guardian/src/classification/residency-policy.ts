import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { readBundleForm } from '../bundle/read-bundle-form.js'
import { LOCALITIES, type Locality } from './engine-policy.js'

/** The localities that each demand on residency leaves. */
const RESIDENCIES = {
  any: LOCALITIES,
  eu: ['local', 'eu_cloud'],
  local: ['local'],
} as const satisfies Record<string, readonly Locality[]>

/** Where a host stands, as whoever wrote the policy says. */
export const REGIONS = ['eu', 'us', 'other'] as const

/** One of {@link REGIONS}. */
export type Region = (typeof REGIONS)[number]

/** What a preset leaves, whatever else a policy says: it can only tighten. */
const PRESETS = {
  EU_PRODUCTION: { localities: ['local', 'eu_cloud'], regions: ['eu'] },
} as const satisfies Record<string, { localities: readonly Locality[]; regions: readonly Region[] }>

const residencyPolicy = v.strictObject({
  version: v.literal('parley-residency-v1'),
  data_residency: v.picklist(['any', 'eu', 'local']),
  preset: v.nullable(v.picklist(['EU_PRODUCTION'])),
})

/** Where data may be worked on and sent to. */
export type ResidencyPolicy = v.InferOutput<typeof residencyPolicy>

/**
 * Reads `residency.json`.
 * @throws ProtocolError `object_malformed`
 * @see protocol SPEC "Classification and egress"
 */
export const parseResidencyPolicy = (value: JsonValue): ResidencyPolicy =>
  readBundleForm(residencyPolicy, value)

/** Nowhere else: what applies where nothing is said. */
export const LOCAL_ONLY: ResidencyPolicy = {
  version: 'parley-residency-v1',
  data_residency: 'local',
  preset: null,
}

/** True if an engine of that locality may be used. */
export const isResident = ({ data_residency, preset }: ResidencyPolicy, locality: Locality): boolean =>
  has(RESIDENCIES[data_residency], locality) && (preset === null || has(PRESETS[preset].localities, locality))

/** True if a host of that region may be reached. */
export const isInRegion = ({ preset }: ResidencyPolicy, region: Region): boolean =>
  preset === null || has(PRESETS[preset].regions, region)

const has = <Item>(all: readonly Item[], one: Item): boolean => all.includes(one)
