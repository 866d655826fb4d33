import { assemblePrompt, type Prompt, type PromptProgram } from '@parley/guardian'
import { type JsonObject, parseCanonicalJson, ProtocolError } from '@parley/protocol'
import { contractOf } from '../session/contract-of.js'
import type { EvaluationJob } from './release.js'

/** All that a prompt is made of, as plain data that another thread can be given. */
export type PromptJob = Pick<EvaluationJob, 'contractBytes' | 'inputs'> & {
  readonly promptProgram: PromptProgram
  readonly outputSchema: JsonObject
  /** Drawn for this session once all inputs were there. */
  readonly delimiter: string
}

/** Assembles the prompt of a session; null where it cannot be. */
export function assemble(job: PromptJob): Prompt | null {
  const { promptProgram: program, outputSchema, delimiter } = job
  try {
    const inputs = job.inputs.map((bytes) => parseCanonicalJson(bytes))
    return assemblePrompt({ program, contract: contractOf(job), outputSchema, inputs, delimiter })
  } catch (error) {
    // No input holds a delimiter that was drawn after it. If one did, nothing would be asked.
    if (error instanceof ProtocolError) return null
    throw error
  }
}
