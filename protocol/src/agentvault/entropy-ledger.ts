import { sha256OfText } from '#crypto'
import { toHex } from '../bytes.js'
import type { JsonObject } from '../json-value.js'
import { prefixedHash } from './prefixed-digest.js'

const hashText = (text: string): string => toHex(sha256OfText(text))

/** The hash of one entry of an AgentVault entropy ledger. */
export const agentVaultEntryHash = (entry: JsonObject): string =>
  prefixedHash('vcav/entropy_ledger_entry_hash/v1', entry)

/** The head over all entries in their order, as `ledger_head_hash` of a 1.0.0 receipt names it. */
export const agentVaultLedgerHead = (entries: readonly JsonObject[]): string =>
  entries.reduce(
    (head, entry) => hashText(`vcav/ledger_head_step/v1${head}${agentVaultEntryHash(entry)}`),
    hashText('vcav/ledger_head_seed/v1'),
  )

/** What a delta commitment is over: the entries of a counterparty, or those under a contract. */
export type DeltaScope = 'counterparty' | 'contract'

/** The commitment to the entries of one scope within seven days, as a 1.0.0 receipt names it. */
export const agentVaultDelta = (scope: DeltaScope, entries: readonly JsonObject[]): string =>
  prefixedHash(`vcav/delta_commitment_${scope}/v1`, entries.map(agentVaultEntryHash))

/** The hash of an entropy status, as `entropy_status_commitment` of a 1.0.0 receipt names it. */
export const agentVaultStatusHash = (status: JsonObject): string =>
  prefixedHash('vcav/entropy_status_hash/v1', status)
