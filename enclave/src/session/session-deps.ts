import type { Policy } from '@parley/guardian'
import type { Evidence, ProfileName } from '@parley/protocol'
import type { AuditLog } from '../audit/audit-log.js'
import type { Clock } from '../clock.js'
import type { Evaluator } from '../evaluator/evaluator.js'
import type { Reporter } from '../evidence/reporter.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Log } from '../log.js'
import type { ModelServices } from '../model/model-service.js'
import type { PolicyBundle } from '../policy-bundle.js'
import type { Provision } from '../provisioning/provision.js'
import type { Store } from '../store/store.js'

/** What sessions stand on. */
export type SessionDeps = {
  readonly keys: RelayKeys
  readonly store: Store
  readonly audit: AuditLog
  readonly reporter: Reporter
  readonly bootEvidence: Evidence
  /** Lower-case hex SHA-256 of the report made at boot; null in the software lane. */
  readonly attestationHash: string | null
  readonly bundle: PolicyBundle<ProfileName>
  /** The bundle's rules, which decide on every effect. */
  readonly effectPolicy: Policy
  readonly evaluator: Evaluator
  readonly models: ModelServices
  /** Not there where the relay takes secrets from nobody. */
  readonly provision?: Provision | undefined
  readonly clock: Clock
  /** Fresh octets, as many as asked for. */
  readonly random: (size: number) => Uint8Array
  readonly log: Log
}
