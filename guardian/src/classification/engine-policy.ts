import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { readBundleForm } from '../bundle/read-bundle-form.js'
import { eachOnce } from '../each-once.js'
import { type Classification, CLASSIFICATIONS } from '../ingress/classification-label.js'

/** Where an engine works on what it is given. */
export const LOCALITIES = ['local', 'eu_cloud', 'us_cloud', 'unknown'] as const

/** One of {@link LOCALITIES}. `local`: in the machine that holds the data. */
export type Locality = (typeof LOCALITIES)[number]

/** How far what an engine is given may go from there. */
const ENGINE_EGRESS = ['none', 'local', 'external'] as const

const id = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/))
const ids = v.pipe(
  v.array(id),
  v.maxLength(256),
  v.check((all) => eachOnce(all), 'each once'),
)

// An engine in another machine is reached over the network, whatever is said of it.
const isCoherent = ({ locality, egress }: Engine): boolean => locality === 'local' || egress === 'external'

const engine = v.strictObject({
  id,
  locality: v.picklist(LOCALITIES),
  egress: v.picklist(ENGINE_EGRESS),
})

/** Something that works on data: a relay's evaluator or provider, an agent's worker. */
export type Engine = v.InferOutput<typeof engine>

const cell = v.strictObject({
  localities: v.pipe(
    v.array(v.picklist(LOCALITIES)),
    v.check((all) => eachOnce(all), 'each once'),
  ),
  egress: v.pipe(
    v.array(v.picklist(ENGINE_EGRESS)),
    v.check((all) => eachOnce(all), 'each once'),
  ),
})

type Cell = v.InferOutput<typeof cell>

/** Which engines a label may go to: all that its row has both attributes of. */
export type EngineMatrix = Readonly<Record<Classification, Cell>>

const ANYWHERE: Cell = { localities: [...LOCALITIES], egress: [...ENGINE_EGRESS] }

/** The widest matrix. A policy may say less, never more. */
export const WIDEST_MATRIX: EngineMatrix = {
  PUBLIC: ANYWHERE,
  INTERNAL: ANYWHERE,
  CONFIDENTIAL: { localities: ['local', 'eu_cloud'], egress: [...ENGINE_EGRESS] },
  SECRET: { localities: ['local'], egress: ['none'] },
}

const isPartOf = (inner: Cell, outer: Cell): boolean =>
  inner.localities.every((each) => outer.localities.includes(each)) &&
  inner.egress.every((each) => outer.egress.includes(each))

const isWithinWidest = (matrix: EngineMatrix): boolean =>
  CLASSIFICATIONS.every((label) => isPartOf(matrix[label], WIDEST_MATRIX[label]))

// Where a stricter label may go, each laxer one may.
const isMonotone = (matrix: EngineMatrix): boolean =>
  CLASSIFICATIONS.slice(1).every((label, at) => isPartOf(matrix[label], matrix[CLASSIFICATIONS[at] ?? label]))

const matrix = v.pipe(
  v.strictObject({ PUBLIC: cell, INTERNAL: cell, CONFIDENTIAL: cell, SECRET: cell }),
  v.check((read) => isWithinWidest(read), 'no wider than the widest'),
  v.check((read) => isMonotone(read), 'a stricter label has no more engines'),
)

const named = v.strictObject({
  version: v.literal('parley-engines-v1'),
  matrix,
  engines: v.pipe(
    v.array(v.pipe(engine, v.check(isCoherent, 'egress by locality'))),
    v.maxLength(256),
    v.check((all) => eachOnce(all.map((each) => each.id)), 'each id once'),
  ),
  allowed_engines: ids,
  forbid_engines: ids,
})

// A name that stands for nothing may be a typing error of one that stands for something; one in both lists is one.
const namesOnlyEngines = ({
  engines,
  allowed_engines,
  forbid_engines,
}: v.InferOutput<typeof named>): boolean =>
  [...allowed_engines, ...forbid_engines].every((name) => engines.some((each) => each.id === name)) &&
  eachOnce([...allowed_engines, ...forbid_engines])

const enginePolicy = v.pipe(named, v.check(namesOnlyEngines, 'each name an engine, in one list'))

/** Which engines there are, which of them may be used, and for which labels. */
export type EnginePolicy = v.InferOutput<typeof enginePolicy>

/**
 * Reads `engines.json`.
 * @throws ProtocolError `object_malformed`, also on a matrix that is wider than {@link WIDEST_MATRIX}, gives a stricter
 * label more than a laxer one, or a name in a list that is no engine or stands in both
 * @see protocol SPEC "Classification and egress"
 */
export const parseEnginePolicy = (value: JsonValue): EnginePolicy => readBundleForm(enginePolicy, value)

/** No engine at all: what applies where nothing is said. */
export const NO_ENGINES: EnginePolicy = {
  version: 'parley-engines-v1',
  matrix: WIDEST_MATRIX,
  engines: [],
  allowed_engines: [],
  forbid_engines: [],
}
