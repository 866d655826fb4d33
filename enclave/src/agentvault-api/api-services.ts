import type { JsonValue, SigningKey } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { Agents } from './agents.js'
import type { AgreedContract } from './agreed-contract.js'
import type { Refusal } from './answer.js'
import type { ApiConfig } from './api-config.js'
import type { InboxEvents } from './inbox-events.js'
import type { InviteTable } from './invite-table.js'
import type { ApiSessionTable } from './session-table.js'
import type { SessionTokens } from './session-tokens.js'

/** What every handler of this API stands on. */
export type ApiServices = {
  readonly config: ApiConfig
  readonly signingKey: SigningKey
  readonly agents: Agents
  readonly tokens: SessionTokens
  readonly table: ApiSessionTable
  readonly invites: InviteTable
  readonly events: InboxEvents
  /** Checks a contract in full, before any input is accepted. */
  readonly admit: (contract: JsonValue, provider: string | undefined) => AgreedContract | Refusal
  /** Octets of the contracts of all sessions and invites. */
  readonly mostContractBytes: number
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
}
