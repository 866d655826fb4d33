import { hash, type JsonValue } from '@parley/protocol'
import { type CompiledOutput, compileOutputSchema, type OutputShape } from './output-shape.js'

/** A shape, and the content address of the schema that it was compiled from. */
export type KnownShape = { readonly output_schema_hash: string; readonly output: OutputShape }

/**
 * Compiles an output schema once, if its shape is kept. Shapes are keyed by their schema's content address; beyond
 * `maxShapes` the one least recently used is dropped. Callers choose the schemas, and a shape is larger than its
 * schema: only what was admitted is worth keeping.
 */
export class OutputShapeCache {
  readonly #maxShapes: number
  readonly #kept = new Map<string, OutputShape>()

  constructor(maxShapes: number) {
    this.#maxShapes = maxShapes
  }

  /** The kept shape of a schema, or a fresh one, which is not kept. */
  compile(schema: JsonValue): CompiledOutput {
    const output_schema_hash = hash(schema)
    const output = this.#kept.get(output_schema_hash)
    if (output === undefined) return compileOutputSchema(schema)
    this.keep({ output_schema_hash, output })
    return { ok: true, shape: output }
  }

  /** Keeps a shape, as the one last used. */
  keep({ output_schema_hash, output }: KnownShape): void {
    this.#kept.delete(output_schema_hash)
    this.#kept.set(output_schema_hash, output)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxShapes) break
      this.#kept.delete(oldest)
    }
  }
}
