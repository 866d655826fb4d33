import { hash, type JsonValue } from '@parley/protocol'
import { type CompiledOutput, compileOutputSchema } from './output-shape.js'

/**
 * Compiles each output schema once. Schemas are keyed by their content address; beyond `maxSchemas` the one
 * least recently used is dropped, since callers choose the schemas.
 */
export class OutputShapeCache {
  readonly #maxSchemas: number
  readonly #compiled = new Map<string, CompiledOutput>()

  constructor(maxSchemas: number) {
    this.#maxSchemas = maxSchemas
  }

  compile(schema: JsonValue): CompiledOutput {
    const key = hash(schema)
    const compiled = this.#compiled.get(key) ?? compileOutputSchema(schema)
    this.#compiled.delete(key)
    this.#compiled.set(key, compiled)
    for (const oldest of this.#compiled.keys()) {
      if (this.#compiled.size <= this.#maxSchemas) break
      this.#compiled.delete(oldest)
    }
    return compiled
  }
}
