import type { JsonValue } from '@parley/protocol'
import { type CompiledProgram, compileProgram, type Evaluation, evaluateProgram } from '../../src/index.js'

/** Compiles a source that must be admitted. */
export const program = (source: string, cost_limit = 100_000): CompiledProgram => {
  const compiled = compileProgram({ language: 'cel', source, cost_limit })
  if (!compiled.ok) throw new Error(`${compiled.code}: ${source.slice(0, 200)}`)
  return compiled.program
}

/** Compiles and runs a source. */
export const run = (
  source: string,
  initiator: JsonValue = null,
  { responder = null, limit = 100_000 }: { readonly responder?: JsonValue; readonly limit?: number } = {},
): Evaluation => evaluateProgram(program(source, limit), { initiator, responder })
