import { loggedId, loggedNonce } from './a2a-event.js'
import type { AdmittedTask, FreshTask } from './admitted-task.js'
import { isWithin } from './classification-label.js'
import { type Checked, no, yes } from './ingress-line.js'
import type { IngressPorts } from './ingress-ports.js'
import type { RejectionReason } from './rejection-reason.js'
import { sanitiseInstruction } from './sanitise-instruction.js'

type Step<Next> = Checked<Next, RejectionReason>

/** audit: what is not recorded does not happen, and may be tried again. */
export const recordTask =
  (ports: IngressPorts) =>
  async (fresh: FreshTask): Promise<Step<FreshTask>> => {
    try {
      await appendReceived(ports, fresh)
      return yes(fresh)
    } catch {
      await releaseNonce(ports, fresh)
      return no('audit:audit_write_failed')
    }
  }

const appendReceived = async ({ audit }: IngressPorts, { task, rights }: FreshTask): Promise<void> => {
  const ids = { task_id: loggedId(task.task_id), origin_id: loggedId(task.origin_id) }
  await audit.append({
    event: 'A2A.envelope_received',
    fields: {
      ...ids,
      nonce_prefix: loggedNonce(task.nonce),
      sender_instance_id: task.sender_instance_id,
      ttl_s: task.ttl_s,
      purpose_id: task.purpose_id === undefined ? null : loggedId(task.purpose_id),
    },
  })
  if (rights.subagents_restricted)
    await audit.append({ event: 'A2A.subagents_force_restricted', fields: ids })
}

const releaseNonce = async ({ replay }: IngressPorts, { task }: FreshTask): Promise<void> => {
  try {
    await replay.release(task)
  } catch {
    // The nonce stays taken: the sender needs a new one, and nothing ran.
  }
}

/** classification */
export const checkClassification =
  ({ dataFlow }: IngressPorts) =>
  async (fresh: FreshTask): Promise<Step<FreshTask>> => {
    const { classification, origin, task } = fresh
    const labels = fresh.attachments.map((each) => each.classification)
    if (!labels.every((label) => isWithin(label, origin.max_data_classification)))
      return no('7:attachment_classification_exceeded')
    const flow = { classification, origin_id: origin.origin_id, purpose_id: task.purpose_id ?? null }
    try {
      return (await dataFlow.allows(flow)) ? yes(fresh) : no('7:data_flow_blocked')
    } catch {
      return no('7:classification_check_error')
    }
  }

/** consent: every purpose by itself, each asked anew; one grant does not stand for another. */
export const checkConsent =
  ({ consent }: IngressPorts) =>
  async (fresh: FreshTask): Promise<Step<FreshTask>> => {
    const { origin_id, personal_data, required_consent_purposes, data_subject_id: subject } = fresh.origin
    if (!personal_data && required_consent_purposes.length === 0) return yes(fresh)
    if (subject === null) return no('C-2:data_subject_missing')
    const purposes = required_consent_purposes.length > 0 ? required_consent_purposes : purposeOf(fresh)
    if (purposes.length === 0) return no('C-1:consent_not_granted')
    for (const purpose of purposes)
      if (!(await consent.consume({ subject, purpose, origin_id }))) return no('C-1:consent_not_granted')
    return yes(fresh)
  }

const purposeOf = ({ task: { purpose_id } }: FreshTask): readonly string[] =>
  purpose_id === undefined ? [] : [purpose_id]

/** sanitiser: for every task, also one that no worker will see. */
export const sanitise = (fresh: FreshTask): Step<AdmittedTask> => {
  const sanitised = sanitiseInstruction(fresh.task.instruction)
  return sanitised.ok
    ? yes({ ...fresh, instruction: sanitised.value })
    : no(`injection_attempt:${sanitised.reason}`)
}

/** effect: a worker acts as someone, or not at all. */
export const checkPersona = (admitted: AdmittedTask): Step<AdmittedTask> =>
  admitted.rights.mode === 'executor' && admitted.rights.persona === null
    ? no('effect:no_allowed_personas')
    : yes(admitted)
