import { sha256, toHex } from '@parley/protocol'
import { loggedId } from './a2a-event.js'
import type { AdmittedTask, ArrivedTask } from './admitted-task.js'
import {
  checkInstancePin,
  checkPurpose,
  checkRate,
  checkTtl,
  checkWindow,
  openAttachments,
  takeNonce,
} from './freshness-steps.js'
import { checkMac, checkSchema, checkSize, findOrigin } from './identify-task.js'
import { IngressLine, type IngressStep } from './ingress-line.js'
import type { IngressPorts } from './ingress-ports.js'
import { checkClassification, checkConsent, checkPersona, recordTask, sanitise } from './permission-steps.js'
import type { RejectionReason } from './rejection-reason.js'
import { issueRejection, type ResponseEnvelope } from './response-envelope.js'

/** What becomes of a task. */
export type TaskAdmission =
  | { readonly ok: true; readonly admitted: AdmittedTask }
  | {
      readonly ok: false
      /** For the receiver's own log. Nothing outside may depend on them. */
      readonly step: IngressStep
      readonly reason: RejectionReason
      /** False if the log could not take the rejection either. */
      readonly recorded: boolean
      /** The answer, whatever the cause. To be sent at a fixed tick, with the one status of all rejections. */
      readonly rejection: ResponseEnvelope
    }

/** Admits one body. It never throws. */
export type TaskIngress = (body: Uint8Array) => Promise<TaskAdmission>

/**
 * The ingress of Corvin A2A v4 tasks: every step of the one order, and one answer for all that fail.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const createTaskIngress = (ports: IngressPorts): TaskIngress => {
  const line = IngressLine.from<ArrivedTask, RejectionReason>('check_failed')
    .step('size', checkSize)
    .step('schema', checkSchema)
    .step('origin', findOrigin(ports))
    .step('window', checkWindow(ports))
    .step('ttl', checkTtl(ports))
    .step('mac', checkMac(ports))
    .step('purpose', checkPurpose)
    .step('rate', checkRate(ports))
    .step('replay', takeNonce(ports))
    .step('attachments', openAttachments)
    .step('instance_pin', checkInstancePin)
    .step('audit', recordTask(ports))
    .step('classification', checkClassification(ports))
    .step('consent', checkConsent(ports))
    .step('sanitiser', sanitise)
    .step('effect', checkPersona)
  return async (body) => {
    const outcome = await line.run({ body, digest: toHex(sha256(body)), task: null, recv_key: null })
    if (outcome.ok) return { ok: true, admitted: outcome.value }
    const { step, reason, seen } = outcome
    const recorded = await recordRejection(ports, seen, reason)
    const request = { digest: seen.digest, issued_at: ports.clock.nowSeconds() }
    return {
      ok: false,
      step,
      reason,
      recorded,
      rejection: issueRejection(request, ports.receiver, seen.recv_key),
    }
  }
}

const recordRejection = async (
  { audit }: IngressPorts,
  { task }: ArrivedTask,
  reason: RejectionReason,
): Promise<boolean> => {
  const ids = {
    task_id: task === null ? null : loggedId(task.task_id),
    origin_id: task === null ? null : loggedId(task.origin_id),
  }
  try {
    await audit.append({ event: 'A2A.request_rejected', fields: { ...ids, reason } })
    return true
  } catch {
    return false
  }
}
