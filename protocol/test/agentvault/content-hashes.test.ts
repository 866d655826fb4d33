import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { agentVaultContractHash, agentVaultPairId, hash, NO_OUTPUT_HASH } from '../../src/index.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('content hashes of AgentVault', () => {
  it('a contract has the hash of its JCS, whether its builder put that hash inside or not', () => {
    const contract = { purpose_code: 'MEDIATION', participants: ['alice', 'bob'] }
    expect(agentVaultContractHash(contract)).toBe(hash(contract))
    expect(agentVaultContractHash({ ...contract, contract_hash: hash(contract) })).toBe(hash(contract))
    expect(agentVaultContractHash({ ...contract, note: null })).not.toBe(hash(contract))
  })

  it('a pair has one id in either order and in either normal form', () => {
    const id = sha256('vcav/pair_id/v1["alice","bob"]')
    expect(agentVaultPairId(['alice', 'bob'])).toBe(id)
    expect(agentVaultPairId(['bob', 'alice'])).toBe(id)
    expect(agentVaultPairId(['re\u0301mi', 'bob'])).toBe(agentVaultPairId(['r\u00e9mi', 'bob']))
  })

  it('no output is the hash of nothing', () => {
    expect(NO_OUTPUT_HASH).toBe(sha256(''))
  })
})
