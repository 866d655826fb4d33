import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  agentVaultDelta,
  agentVaultEntryHash,
  agentVaultLedgerHead,
  agentVaultStatusHash,
  canonicalize,
} from '../../src/index.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const entry = (session_id: string) => ({ session_id, entropy_millibits: 3000 })

describe('an entropy ledger of AgentVault', () => {
  it('is empty at its first head', () => {
    expect(agentVaultLedgerHead([])).toBe(sha256('vcav/ledger_head_seed/v1'))
  })

  it('steps from head to head over the hex of both', () => {
    const first = sha256(`vcav/entropy_ledger_entry_hash/v1${canonicalize(entry('a'))}`)
    expect(agentVaultEntryHash(entry('a'))).toBe(first)
    expect(agentVaultLedgerHead([entry('a')])).toBe(
      sha256(`vcav/ledger_head_step/v1${sha256('vcav/ledger_head_seed/v1')}${first}`),
    )
  })

  it('has another head in another order', () => {
    expect(agentVaultLedgerHead([entry('a'), entry('b')])).not.toBe(
      agentVaultLedgerHead([entry('b'), entry('a')]),
    )
  })

  it('commits to a counterparty and to a contract under different prefixes', () => {
    const hashes = JSON.stringify([agentVaultEntryHash(entry('a'))])
    expect(agentVaultDelta('counterparty', [entry('a')])).toBe(
      sha256(`vcav/delta_commitment_counterparty/v1${hashes}`),
    )
    expect(agentVaultDelta('contract', [entry('a')])).toBe(
      sha256(`vcav/delta_commitment_contract/v1${hashes}`),
    )
    expect(agentVaultStatusHash(entry('a'))).toBe(
      sha256(`vcav/entropy_status_hash/v1${canonicalize(entry('a'))}`),
    )
  })
})
