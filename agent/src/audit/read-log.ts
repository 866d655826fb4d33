import { readAuditLog, type ReadAuditLog } from '@parley/guardian'
import { fromUtf8 } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { readPrivateFile } from '../private-file.js'

/** The lane of what an agent writes: nobody attests it. */
export const OWN_LANE = 'software'

/**
 * Reads a log as it is on the disk, also while another process writes; one that was never written is empty. It is as far
 * as the chain holds, and says where it does not.
 * @throws AgentError `file_not_private`, `file_unusable`
 */
export const readLogFile = (path: string): ReadAuditLog => readAuditLog(OWN_LANE, readLogLines(path))

/** The same of a log that has to hold. @throws AgentError `state_malformed` too */
export const readSoundLog = (path: string): ReadAuditLog => {
  const reading = readLogFile(path)
  if (reading.fault === null) return reading
  const { code, seq } = reading.fault
  throw new AgentError('state_malformed', `${path}: ${code} at entry ${seq}`)
}

/**
 * The lines of a log; what stands after the last newline was cut by a crash, or is being written.
 * @throws AgentError `file_not_private`, `file_unusable`
 */
export const readLogLines = (path: string): readonly string[] => {
  try {
    return fromUtf8(readPrivateFile(path)).split('\n').slice(0, -1)
  } catch (error) {
    if (error instanceof AgentError && error.code === 'state_missing') return []
    throw error
  }
}
