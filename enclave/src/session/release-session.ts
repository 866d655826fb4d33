import { contractEntity } from '../effects/effect-resources.js'
import type { SessionEffects } from '../effects/session-effects.js'
import { aborted, type Release } from '../release/release.js'
import type { EndedSession, LiveSession } from './session.js'

/**
 * Ends a session with what came of its evaluation, as the effect that this is; where the policy denies it, with no more
 * than that. False where the log could not take the start of it: then the session has not ended.
 * @param end commits an end
 * @throws whatever `end` throws; then the session has not ended either
 */
export const releaseSession = async (
  effects: SessionEffects,
  { agreement }: LiveSession,
  release: Release,
  end: (what: Release) => Promise<EndedSession>,
): Promise<boolean> => {
  const resource = contractEntity(agreement)
  const performed = await effects.perform({ effect: 'release', resource }, () => end(release))
  if (performed.kind === 'unrecorded') return false
  if (performed.kind === 'denied') await end({ ...aborted('OUTPUT_REFUSED'), asked: release.asked })
  await effects.end('completed')
  return true
}
