import type { Refusal, RefusalCode } from '@parley/protocol'
import { REFUSAL_TEXT } from './refusal-text.js'

/** A relay's no to one request, its signature verified. What was asked has changed nothing (SPEC §10). */
export class RelayRefusal extends Error {
  readonly code: RefusalCode
  /** The cause in a contract, schema or claim: a code and a JSON pointer; else null. */
  readonly detail: string | null
  /** The signed object: the owner's proof of what the relay said. */
  readonly refusal: Refusal

  /** @param heldAt the file of the ledger head that was claimed, where one was */
  constructor(refusal: Refusal, heldAt: string | null = null) {
    super(textOf(refusal, heldAt))
    this.name = 'RelayRefusal'
    this.code = refusal.code
    this.detail = refusal.detail
    this.refusal = refusal
  }
}

const textOf = ({ code, detail }: Refusal, heldAt: string | null): string => {
  const held = code === 'ledger_head_unknown' && heldAt !== null ? `. Your head is in ${heldAt}` : ''
  return `${REFUSAL_TEXT[code]}${held}${detail === null ? '' : ` (${detail})`}`
}
