import type { ArrivedTask, KnownTask, ProvenTask, ReadTask } from './admitted-task.js'
import type { IngressPorts } from './ingress-ports.js'
import { type Checked, no, yes } from './ingress-line.js'
import { isOriginId } from './member-formats.js'
import type { OriginReason, RejectionReason } from './rejection-reason.js'
import { hasPairingMac, isFromSender, MOST_TASK_BYTES, readTask } from './task-envelope.js'
import type { Origin } from './origin.js'

type Step<Next> = Checked<Next, RejectionReason>

/** size */
export const checkSize = (arrived: ArrivedTask): Step<ArrivedTask> =>
  arrived.body.length <= MOST_TASK_BYTES ? yes(arrived) : no('1:body_too_large')

/** schema */
export const checkSchema = (arrived: ArrivedTask): Step<ReadTask> => {
  const read = readTask(arrived.body)
  return read.ok ? yes({ ...arrived, task: read.value }) : no(`1:${read.reason}`)
}

/** origin: the MAC is reckoned here for all, under a decoy for strangers, so that no cause before `mac` is quicker. */
export const findOrigin =
  ({ origins, receiver }: IngressPorts) =>
  async (read: ReadTask): Promise<Step<KnownTask>> => {
    const found = await lookUp(origins, read.task.origin_id)
    const hasMac = hasPairingMac(read.task, found.ok ? found.value.hmac_key : receiver.decoy)
    if (!found.ok) return no(`2:${found.reason}`)
    return found.value.enabled ? yes({ ...read, origin: found.value, hasMac }) : no('2:origin_disabled')
  }

const lookUp = async (
  origins: IngressPorts['origins'],
  origin_id: string,
): Promise<Checked<Origin, OriginReason>> => {
  if (!isOriginId(origin_id)) return no('invalid_origin_id')
  const found = await origins.find(origin_id)
  return found.ok && found.value.origin_id !== origin_id ? no('origin_file_malformed') : found
}

/** mac: the pairing's, then the principal's. */
export const checkMac =
  ({ receiver }: IngressPorts) =>
  (known: KnownTask): Step<ProvenTask> => {
    if (!known.hasMac) return no('6:bad_signature')
    const { task, origin } = known
    if (!isFromSender(task, receiver.lane, origin.sender_key)) return no('6:bad_sender_signature')
    return yes({ ...known, recv_key: origin.recv_key })
  }
