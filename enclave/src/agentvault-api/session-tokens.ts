import { createHmac } from 'node:crypto'
import { sameToken, tokenDigest } from './token-digest.js'

/** The four bearer tokens of a session: who may submit, and who may read. */
const KINDS = ['initiator_submit', 'initiator_read', 'responder_submit', 'responder_read'] as const

/** What a token is good for. */
export type TokenKind = (typeof KINDS)[number]

/** A participant's place in the contract: 0 is the initiator. */
export type SeatIndex = 0 | 1

/** The tokens of all sessions. */
export type SessionTokens = {
  /** 32 octets in hex. */
  readonly of: (sessionId: string, kind: TokenKind) => string
  /** What a presented token is good for in this session, if anything. */
  readonly kindOf: (sessionId: string, presented: string) => TokenKind | undefined
}

/**
 * Tokens that are derived from a secret of this process instead of being kept: an invite that is accepted again
 * gives the same ones, and no table holds any.
 */
export function createSessionTokens(random: (size: number) => Uint8Array): SessionTokens {
  const secret = random(32)
  const of = (sessionId: string, kind: TokenKind): string =>
    createHmac('sha256', secret).update(`${kind}:${sessionId}`).digest('hex')
  return {
    of,
    kindOf: (sessionId, presented) => {
      const digest = tokenDigest(presented)
      // All four are compared: which one it is shows in no time.
      const [match] = KINDS.filter((kind) => sameToken(tokenDigest(of(sessionId, kind)), digest))
      return match
    },
  }
}

/** The place of whoever holds a token. */
export const seatOf = (kind: TokenKind): SeatIndex => (kind.startsWith('initiator') ? 0 : 1)

/** The token of a place. */
export const kindAt = (seat: SeatIndex, use: 'submit' | 'read'): TokenKind =>
  `${seat === 0 ? 'initiator' : 'responder'}_${use}`
