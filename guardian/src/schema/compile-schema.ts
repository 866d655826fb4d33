import { type JsonValue, MAX_JSON_DEPTH } from '@parley/protocol'
import { FirstRefusal } from '../first-refusal.js'
import type { Refused } from '../refused.js'
import { compileForms } from './compile-forms.js'
import { type Alternatives, Conjunction, type Document } from './conjunction.js'
import { dialectOf } from './dialect.js'
import { areDisjoint } from './disjoint.js'
import { pointerTo } from './json-pointer.js'
import { measureDepth } from './measure-depth.js'
import type { SchemaCode } from './schema-code.js'
import { isNothing, nothing, type Shape } from './shape.js'
import { type Place, siteOf } from './site.js'
import { Work } from './work.js'

/**
 * Compiles a JSON Schema of the closed family. Whatever it says beyond that is refused, never ignored; what is
 * too much to count is refused when it is counted. The work is bounded whatever the schema.
 */
export const compileSchema = (
  schema: JsonValue,
): { readonly ok: true; readonly shape: Shape } | Refused<SchemaCode> => {
  const refusals = new FirstRefusal<SchemaCode>()
  const dialect = dialectOf(schema)
  if (dialect === undefined) refusals.refuse('keyword_unsupported', '/$schema')
  const document = { root: schema, dialect: dialect ?? null, refusals, work: new Work() }
  const shape = new SchemaCompiler(document).compile([{ schema, at: '' }], '', 0)
  measureDepth(shape, refusals)
  return refusals.found ?? { ok: true, shape }
}

class SchemaCompiler {
  readonly #document: Document
  readonly #ids = new Map<object, number>()
  // Null while it is being compiled: meeting it again is a cycle. What is kept stops references from doubling
  // the work at every level.
  readonly #shapes = new Map<string, Shape | null>()

  constructor(document: Document) {
    this.#document = document
  }

  /** The values that satisfy all of some schemas. */
  compile(places: readonly Place[], at: string, depth: number): Shape {
    const all = new Conjunction(this.#document)
    for (const place of places) all.add(place)
    const [fact] = all.facts.values()
    return this.#shapeOf(all, fact ?? all.alternatives[0]?.at ?? at, depth)
  }

  #shapeOf(all: Conjunction, at: string, depth: number): Shape {
    if (this.#document.refusals.found !== null || all.never !== null) return nothing(all.never ?? at)
    if (all.facts.size === 0 && all.alternatives.length === 0) return { kind: 'any', at }
    if (depth >= MAX_JSON_DEPTH) return this.#refuse('schema_too_deep', at)
    const key = this.#keyOf(all)
    const known = this.#shapes.get(key)
    if (known === null) return this.#refuse('reference_cycle', all.reference ?? at)
    if (known !== undefined) return known
    this.#shapes.set(key, null)
    const shape = this.#build(all, at, depth)
    this.#shapes.set(key, shape)
    return shape
  }

  #build(all: Conjunction, at: string, depth: number): Shape {
    const [first] = all.alternatives
    if (first !== undefined) return this.#chooseFrom(first, all, depth)
    const { refusals, work } = this.#document
    return compileForms({
      at,
      sites: [...all.facts].map(([schema, where]) => siteOf(schema, where, refusals)),
      compile: (places, where) => this.compile(places, where, depth + 1),
      work,
    })
  }

  #chooseFrom(from: Alternatives, all: Conjunction, depth: number): Shape {
    const branches = from.branches
      .map((schema, index) => {
        const branch = { schema, at: pointerTo(from.at, index) }
        return this.#shapeOf(all.choosing(from, branch), branch.at, depth)
      })
      .filter((branch) => !isNothing(branch))
    const { work } = this.#document
    const overlap = branches.some((one, index) =>
      branches.slice(index + 1).some((other) => !areDisjoint(one, other, work)),
    )
    if (overlap) return this.#refuse(work.exhausted ? 'schema_too_complex' : 'union_not_disjoint', from.at)
    const [only] = branches
    if (only === undefined || branches.length === 1) return only ?? nothing(from.at)
    return { kind: 'union', at: from.at, branches, untyped: false }
  }

  #keyOf({ facts, alternatives }: Conjunction): string {
    const parts = [...facts.keys(), ...alternatives.map(({ branches }) => branches)]
    return parts
      .map((part) => this.#idOf(part))
      .sort((a, b) => a - b)
      .join(' ')
  }

  #idOf(part: object): number {
    const id = this.#ids.get(part) ?? this.#ids.size
    this.#ids.set(part, id)
    return id
  }

  #refuse(code: SchemaCode, at: string): Shape {
    this.#document.refusals.refuse(code, at)
    return nothing(at)
  }
}
