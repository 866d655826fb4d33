import type { FreshTask, KnownTask, ProvenTask } from './admitted-task.js'
import { checkAttachments } from './check-attachments.js'
import { strictestOf } from './classification-label.js'
import { rightsOf } from './connection-rights.js'
import { type Checked, no, yes } from './ingress-line.js'
import type { IngressPorts } from './ingress-ports.js'
import type { RejectionReason } from './rejection-reason.js'
import { isInWindow, ttlDefect } from './time-window.js'

type Step<Next> = Checked<Next, RejectionReason>

/** window */
export const checkWindow =
  ({ clock }: IngressPorts) =>
  (known: KnownTask): Step<KnownTask> =>
    isInWindow(known.task.issued_at, clock.nowSeconds()) ? yes(known) : no('3:time_window')

/** ttl */
export const checkTtl =
  ({ clock }: IngressPorts) =>
  (known: KnownTask): Step<KnownTask> => {
    const defect = ttlDefect(known.task, known.origin.max_ttl_s, clock.nowSeconds())
    return defect === null ? yes(known) : no(`5:${defect}`)
  }

/** purpose: after the MAC, or a stranger could try which purposes there are. */
export const checkPurpose = (proven: ProvenTask): Step<ProvenTask> => {
  const { allowed_purposes } = proven.origin
  if (allowed_purposes === null) return yes(proven)
  const { purpose_id } = proven.task
  if (purpose_id === undefined) return no('2.5:purpose_id_required')
  return allowed_purposes.includes(purpose_id) ? yes(proven) : no('2.5:purpose_not_allowed')
}

/** rate: before the nonce is taken, so that who is throttled may try the same task again. */
export const checkRate =
  ({ rate, clock }: IngressPorts) =>
  (proven: ProvenTask): Step<ProvenTask> => {
    const { origin_id, rate_limit_rpm } = proven.origin
    return rate.take(origin_id, rate_limit_rpm, clock.monotonicMs()) ? yes(proven) : no('S-3:rate_limited')
  }

/** replay: after the MAC, or a stranger could burn nonces. */
export const takeNonce =
  ({ replay, clock }: IngressPorts) =>
  async (proven: ProvenTask): Promise<Step<ProvenTask>> => {
    const { origin_id, nonce, issued_at } = proven.task
    const taken = await replay.take({ origin_id, nonce, issued_at }, clock.nowSeconds())
    return taken === 'taken' ? yes(proven) : no(`4:${taken}`)
  }

/** attachments */
export const openAttachments = (proven: ProvenTask): Step<FreshTask> => {
  const opened = checkAttachments(proven.task.attachments)
  if (!opened.ok) return no(`7:${opened.reason}`)
  return yes({
    ...proven,
    attachments: opened.value,
    classification: strictestOf(opened.value.map(({ classification }) => classification)),
    rights: rightsOf(proven.origin),
  })
}

/** instance_pin */
export const checkInstancePin = (fresh: FreshTask): Step<FreshTask> => {
  const { sender_instance_id_pin: pin } = fresh.origin
  return pin === null || pin === fresh.task.sender_instance_id
    ? yes(fresh)
    : no('pin:sender_instance_id_mismatch')
}
