export { type A2aPaths, a2aPaths } from './a2a-paths.js'
export { commandWorker, type WorkerCommand } from './command-worker.js'
export { type Endpoint, type EndpointReason, parseEndpoint } from './endpoint.js'
export { EndpointFiles, type FoundEndpoint, type ListedEndpoint } from './endpoint-files.js'
export { cardOf, type InstanceCard, ownInstanceId } from './instance-id.js'
export { type FoundOrigin, type ListedOrigin, OriginFiles } from './origin-files.js'
export {
  drawPairing,
  endpointFileOf,
  originFileOf,
  type Pairing,
  type PairingGrant,
  parsePairing,
} from './pairing.js'
export { checkPublicUrl, type PublicUrlCheck, type PublicUrlWarning } from './public-url.js'
export { type ReceiverClock, systemReceiverClock } from './receiver-clock.js'
export { ReplayFile } from './replay-file.js'
export type { Scratch } from './scratch.js'
export { sendTask, type SentTask, type TaskSender, type TaskToSend } from './send-task.js'
export type { TaskAddress } from './task-listener.js'
export { parseTaskUrl, TASK_PATH } from './task-url.js'
export { type ReceiverSettings, type RunningReceiver, withReceiver } from './with-receiver.js'
export type { Worker, WorkerTask } from './worker.js'
