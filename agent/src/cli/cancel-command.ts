import { type HomeOption, participantOf } from './home.js'
import type { Io } from './io.js'

/** `parley session cancel`: ends a session before all inputs are in. */
export const runCancel = async (sessionId: string, options: HomeOption, io: Io): Promise<number> => {
  const participant = await participantOf(options, io)
  await participant.cancel(await participant.resume(sessionId))
  io.out('cancelled\n')
  return 0
}
