/** Why an evaluation gave no value. The union is closed. */
export type FaultCode = 'evaluation_failed' | 'cost_exceeded'

/** An error as a value: CEL's `||` and `&&` absorb the error of one side when the other decides. */
export class Fault {
  readonly code: FaultCode

  constructor(code: FaultCode) {
    this.code = code
  }
}

/** Missing member, wrong type, overflow, division by zero: which of them depends on inputs and is not told. */
export const FAILED = new Fault('evaluation_failed')

/** The cost limit is spent. Nothing absorbs it. */
export const EXHAUSTED = new Fault('cost_exceeded')
