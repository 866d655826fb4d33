import type { JsonValue } from '@parley/protocol'
import { fromJson, toJson } from './cel-json.js'
import type { CompiledProgram } from './compile-program.js'
import { Fault, type FaultCode } from './fault.js'
import { Meter } from './meter.js'

/** The two inputs, by role. */
export type ProgramInputs = { readonly initiator: JsonValue; readonly responder: JsonValue }

/** A draft, which the guardian has not seen yet, and what it cost; or why there is none. */
export type Evaluation =
  | { readonly ok: true; readonly value: JsonValue; readonly cost: number }
  | { readonly ok: false; readonly code: FaultCode }

/**
 * Runs a program over both inputs. Deterministic: the same inputs give the same value, or the same fault, and the
 * same cost, in Node and in a page. Time and memory are bounded by the contract's cost limit: reading the inputs is
 * paid for, too. Never throws. What it returns depends on the inputs and stays inside.
 */
export const evaluateProgram = (program: CompiledProgram, inputs: ProgramInputs): Evaluation => {
  const meter = new Meter(program.costLimit)
  const value = run(program, inputs, meter)
  return value instanceof Fault ? { ok: false, code: value.code } : { ok: true, value, cost: meter.spent }
}

const run = (program: CompiledProgram, inputs: ProgramInputs, meter: Meter): JsonValue | Fault => {
  const initiator = fromJson(inputs.initiator, meter)
  if (initiator instanceof Fault) return initiator
  const responder = fromJson(inputs.responder, meter)
  if (responder instanceof Fault) return responder
  const result = program.step([initiator, responder], meter)
  return result instanceof Fault ? result : toJson(result, meter)
}
