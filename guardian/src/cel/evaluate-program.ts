import type { ByRole, JsonValue } from '@parley/protocol'
import type { CelValue } from './cel-value.js'
import { fromJson, toJson } from './cel-json.js'
import type { CompiledProgram } from './compile-program.js'
import { FAILED, Fault, type FaultCode } from './fault.js'
import { Meter } from './meter.js'

/** The inputs, by role. */
export type ProgramInputs = ByRole<JsonValue>

/** A draft, which the guardian has not seen yet, and what it cost; or why there is none. */
export type Evaluation =
  | { readonly ok: true; readonly value: JsonValue; readonly cost: number }
  | { readonly ok: false; readonly code: FaultCode }

/**
 * Runs a program over all inputs. Deterministic: the same inputs give the same value, or the same fault, and the
 * same cost, in Node and in a page. Time and memory are bounded by the contract's cost limit: reading the inputs is
 * paid for, too. Never throws. What it returns depends on the inputs and stays inside.
 */
export const evaluateProgram = (program: CompiledProgram, inputs: ProgramInputs): Evaluation => {
  const meter = new Meter(program.costLimit)
  const value = run(program, inputs, meter)
  return value instanceof Fault ? { ok: false, code: value.code } : { ok: true, value, cost: meter.spent }
}

const run = (program: CompiledProgram, inputs: ProgramInputs, meter: Meter): JsonValue | Fault => {
  const seen: CelValue[] = []
  for (const role of program.roles) {
    const json = inputs[role]
    const value = json === undefined ? FAILED : fromJson(json, meter)
    if (value instanceof Fault) return value
    seen.push(value)
  }
  const result = program.step(seen, meter)
  return result instanceof Fault ? result : toJson(result, meter)
}
