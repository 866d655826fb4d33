import { ProtocolError } from '../src/errors.js'

/** The code under which a call is refused, or `accepted`. What is not a ProtocolError goes on. */
export const codeOf = (call: () => unknown): string => {
  try {
    call()
  } catch (error) {
    if (error instanceof ProtocolError) return error.code
    throw error
  }
  return 'accepted'
}
