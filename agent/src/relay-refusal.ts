import type { Refusal, RefusalCode } from '@parley/protocol'

/** A relay's no to one request, its signature verified. What was asked has changed nothing (SPEC §10). */
export class RelayRefusal extends Error {
  readonly code: RefusalCode
  /** The cause in a contract, schema or claim: a code and a JSON pointer; else null. */
  readonly detail: string | null
  /** The signed object: the owner's proof of what the relay said. */
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(`the relay refused: ${refusal.code}${refusal.detail === null ? '' : ` (${refusal.detail})`}`)
    this.name = 'RelayRefusal'
    this.code = refusal.code
    this.detail = refusal.detail
    this.refusal = refusal
  }
}
