import { ProtocolError, REFUSALS, type RefusalCode, signRefusal } from '@parley/protocol'
import type { RelayKeys } from '../keys/relay-keys.js'
import { jsonResponse, type SizedResponse } from './answer.js'

/** A no, before it is signed. */
export type Refused = { readonly refused: RefusalCode; readonly detail: string | null }

const DETAIL_LENGTH = 256

/**
 * Says no. Here is the one place where a detail is made fit to be sent.
 * @param detail the cause, for the asker's eyes only
 */
export function refuse(code: RefusalCode, detail: string | null = null): Refused {
  // Pointers hold member names of the asker's choice: cut, and never through the middle of a character.
  return { refused: code, detail: detail?.slice(0, DETAIL_LENGTH).replace(/\p{Surrogate}$/u, '') ?? null }
}

/** True for a no. */
export function isRefused(value: object): value is Refused {
  return 'refused' in value
}

/** Runs a parser or verifier of the protocol; its error becomes a no. Any other error goes on. */
export function orRefuse<T>(
  code: RefusalCode,
  parse: () => T,
  detailOf?: (error: ProtocolError) => string,
): T | Refused {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(code, detailOf?.(error))
    throw error
  }
}

/**
 * The signed refusal that answers one encapsulated request.
 * @param encapsulation lower-case hex SHA-256 of the whole encapsulated request
 */
export function refusalResponse(
  keys: Pick<RelayKeys, 'keyset' | 'keysetDigest' | 'receiptKey'>,
  encapsulation: string,
  { refused, detail }: Refused,
): SizedResponse {
  const { lane } = keys.keyset
  const unsigned = { lane, keyset_digest: keys.keysetDigest, encapsulation, code: refused, detail }
  return jsonResponse(REFUSALS[refused], signRefusal(unsigned, keys.receiptKey))
}
