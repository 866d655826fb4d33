import { type IngressPorts, loggedId } from '@parley/guardian'
import type { OwnLog } from './own-log.js'
import type { SubjectSalts } from './subject-salts.js'

/**
 * Consents as a port gives them, and what was asked in the log, with the subject under its pseudonym. A consent counts once
 * that is on the disk.
 */
export const recordedConsent = (
  consent: IngressPorts['consent'],
  log: Pick<OwnLog, 'append'>,
  salts: SubjectSalts,
): IngressPorts['consent'] => ({
  consume: async (asked) => {
    const isGiven = await consent.consume(asked)
    const subject = await salts.pseudonymOf(asked.subject)
    const fields = { subject, purpose_id: loggedId(asked.purpose), origin_id: loggedId(asked.origin_id) }
    await log.append({ event: isGiven ? 'consent.used' : 'consent.refused', fields })
    return isGiven
  },
})
