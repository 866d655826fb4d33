import { AgentError, type AgentErrorCode } from '../agent-error.js'
import type { Io } from './io.js'

/** Tries something with so many milliseconds to wait. */
export type Try<T> = (waitMs: number) => Promise<T>

/** Tries something, and again with time where the others are not there yet. */
export type Patience = <T>(waitMs: number, attempt: Try<T>) => Promise<T>

const NOT_YET: readonly AgentErrorCode[] = ['offer_timeout', 'consent_timeout', 'result_timeout']

/** The patience of one command: that it waits is said once, and only where there is something to wait for. */
export const withPatience = ({ err }: Io): Patience => {
  let said = false
  return async (waitMs, attempt) => {
    try {
      return await attempt(0)
    } catch (error) {
      if (waitMs === 0 || !isNotYet(error)) throw error
    }
    if (!said) err('waiting for the others…\n')
    said = true
    return attempt(waitMs)
  }
}

const isNotYet = (error: unknown): boolean => error instanceof AgentError && NOT_YET.includes(error.code)
