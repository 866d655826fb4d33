import { parseAccepted } from '@parley/protocol'
import { ask, pathIn, type Session } from './session.js'

/**
 * Ends a session before all inputs are in. The relay issues a receipt of that, as of every end.
 * @throws RelayRefusal `state_conflict` where it is too late
 * @see SPEC §11
 */
export const cancelSession = async (session: Session): Promise<void> => {
  parseAccepted(await ask(session, { method: 'POST', path: pathIn(session, 'cancel'), body: {} }))
}
