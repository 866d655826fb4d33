import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH } from '@parley/protocol'
import type { FirstRefusal } from '../first-refusal.js'
import type { Dialect } from './dialect.js'
import { pointerTo } from './json-pointer.js'
import { besideReference, isConstraining, strangeKeyword } from './keywords.js'
import { resolveReference } from './resolve-reference.js'
import type { SchemaCode } from './schema-code.js'
import { ownMember, type Place } from './site.js'
import type { Work } from './work.js'

/** The document that is compiled. */
export type Document = {
  readonly root: JsonValue
  readonly dialect: Dialect | null
  readonly refusals: FirstRefusal<SchemaCode>
  readonly work: Work
}

/** The schemas through which one was reached without leaving the value. */
type Path = { readonly schema: JsonObject; readonly up: Path | null; readonly length: number }

/** An `anyOf` or a `oneOf`. */
export type Alternatives = {
  readonly at: string
  readonly branches: readonly JsonValue[]
  readonly path: Path
}

/** No value has more choices to make; the product of their branches is bounded by the work. */
const MOST_ALTERNATIVES = 64

/** What it takes to read all keywords of a schema. */
const SCHEMA_WORK = 8

/**
 * Schemas that all hold of one value, with `$ref` and `allOf` followed: plain schema objects, each once, and
 * alternatives that are still to be chosen from.
 */
export class Conjunction {
  readonly #document: Document
  readonly #visited: Set<JsonObject>
  readonly facts: Map<JsonObject, string>
  readonly alternatives: Alternatives[]
  /** Where it says `false`. */
  never: string | null
  /** The last reference that was followed. */
  reference: string | null = null

  constructor(document: Document, from?: Conjunction) {
    this.#document = document
    this.#visited = new Set(from === undefined ? [] : from.#visited)
    this.facts = new Map(from?.facts)
    this.alternatives = [...(from?.alternatives ?? [])]
    this.never = from?.never ?? null
  }

  /** Adds a schema, and what it refers to. */
  add({ schema, at }: Place, path: Path | null = null): void {
    const { refusals, work } = this.#document
    if (refusals.found !== null || schema === true) return
    if (!work.spend(SCHEMA_WORK)) this.#refuse('schema_too_complex', at)
    else if (schema === false) this.never ??= at
    else if (!isJsonObject(schema)) this.#refuse('schema_malformed', at)
    else if (isOn(path, schema)) this.#refuse('reference_cycle', this.reference ?? at)
    else if (!this.#visited.has(schema)) this.#visit(schema, at, path)
  }

  /** The same with one of some alternatives chosen. */
  choosing(alternatives: Alternatives, branch: Place): Conjunction {
    const chosen = new Conjunction(this.#document, this)
    chosen.alternatives.splice(chosen.alternatives.indexOf(alternatives), 1)
    this.#document.work.spend(SCHEMA_WORK + 2 * this.#visited.size)
    chosen.add(branch, alternatives.path)
    return chosen
  }

  #visit(schema: JsonObject, at: string, up: Path | null): void {
    const path = { schema, up, length: (up?.length ?? 0) + 1 }
    const fault = this.#faultOf(schema)
    if (path.length > MAX_JSON_DEPTH) this.#refuse('schema_too_deep', at)
    else if (fault !== null) this.#refuse(fault.code, pointerTo(at, fault.keyword))
    else this.#addParts(schema, at, path)
  }

  #faultOf(schema: JsonObject): { readonly code: SchemaCode; readonly keyword: string } | null {
    const { root, dialect } = this.#document
    const strange = strangeKeyword(schema, dialect, schema === root)
    if (strange !== undefined) return { code: 'keyword_unsupported', keyword: strange }
    if (dialect === '2020-12' && isJsonArray(ownMember(schema, 'items') ?? null))
      return { code: 'schema_malformed', keyword: 'items' }
    if (dialect !== 'draft-07' || !Object.hasOwn(schema, '$ref')) return null
    const ignored = besideReference(schema)
    return ignored === undefined ? null : { code: 'keyword_unsupported', keyword: ignored }
  }

  #addParts(schema: JsonObject, at: string, path: Path): void {
    this.#visited.add(schema)
    if (isConstraining(schema)) this.facts.set(schema, at)
    const reference = ownMember(schema, '$ref')
    if (reference !== undefined) this.#follow(reference, pointerTo(at, '$ref'), path)
    for (const part of this.#schemas(schema, at, 'allOf') ?? []) this.add(part, path)
    for (const keyword of ['anyOf', 'oneOf']) this.#offer(schema, at, keyword, path)
  }

  #follow(reference: JsonValue, at: string, path: Path): void {
    const target = resolveReference(this.#document.root, reference)
    this.reference = at
    if (target === undefined) this.#refuse('reference_unresolved', at)
    else this.add(target, path)
  }

  #offer(schema: JsonObject, at: string, keyword: string, path: Path): void {
    const branches = this.#schemas(schema, at, keyword)?.map((place) => place.schema)
    if (branches === undefined) return
    this.alternatives.push({ at: pointerTo(at, keyword), branches, path })
    if (this.alternatives.length > MOST_ALTERNATIVES) this.#refuse('schema_too_complex', at)
  }

  #schemas(schema: JsonObject, at: string, keyword: string): readonly Place[] | undefined {
    const list = ownMember(schema, keyword)
    if (list === undefined) return undefined
    if (isJsonArray(list) && list.length > 0)
      return list.map((part, index) => ({ schema: part, at: pointerTo(at, keyword, index) }))
    this.#refuse('schema_malformed', pointerTo(at, keyword))
    return undefined
  }

  #refuse(code: SchemaCode, pointer: string): void {
    this.#document.refusals.refuse(code, pointer)
  }
}

const isOn = (path: Path | null, schema: JsonObject): boolean => {
  for (let step = path; step !== null; step = step.up) if (step.schema === schema) return true
  return false
}
