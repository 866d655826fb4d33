import { type Refusal, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import type { ApiSession } from './api-session.js'
import { currentSession } from './expire-sessions.js'
import type { TokenKind } from './session-tokens.js'

/** A session whose token was shown, and what that token is good for. */
export type Entered = { readonly session: ApiSession; readonly kind: TokenKind }

/** The session of a token. An unknown session and a wrong token are answered alike, and take as long. */
export function enterSession(
  services: ApiServices,
  id: string,
  bearer: string | undefined,
): Entered | Refusal {
  if (bearer === undefined) return refuse('unauthorized')
  const kind = services.tokens.kindOf(id, bearer)
  const session = currentSession(services, id)
  return kind === undefined || session === undefined ? refuse('unauthorized') : { session, kind }
}
