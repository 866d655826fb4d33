import { join } from 'node:path'

/** Where a home keeps its pairings, and what came and went over them. */
export type A2aPaths = {
  /** The folder of it all, its owner's alone. */
  readonly folder: string
  readonly instanceId: string
  /** One file an origin: who may send tasks here. */
  readonly origins: string
  /** One file an endpoint: who takes tasks from here. */
  readonly endpoints: string
  readonly nonces: string
  readonly receivedLog: string
  readonly sentLog: string
  readonly scratch: string
}

/** The paths of a participant's home. */
export const a2aPaths = (home: string): A2aPaths => {
  const folder = join(home, 'a2a')
  return {
    folder,
    instanceId: join(folder, 'instance_id.json'),
    origins: join(folder, 'remote_origins'),
    endpoints: join(folder, 'remote_endpoints'),
    nonces: join(folder, 'nonces.log'),
    receivedLog: join(folder, 'received.audit.log'),
    sentLog: join(folder, 'sent.audit.log'),
    scratch: join(folder, 'scratch'),
  }
}
