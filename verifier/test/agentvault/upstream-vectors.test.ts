import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  agentVaultContractHash,
  agentVaultDelta,
  agentVaultEntryHash,
  agentVaultLedgerHead,
  agentVaultStatusHash,
  canonicalize,
  hash,
  type JsonObject,
  parseContract,
  ProtocolError,
  teeTranscriptHash,
  toHex,
  utf8,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { parseReceiptKey } from '../../src/receipt-key.js'
import { verifyReceiptFile } from '../../src/verify-receipt.js'

// AgentVault's own vectors, of which this repository holds none: they are looked for beside the corpus.
const corpus = process.env['PARLEY_CORPUS']
const folder = join(corpus ?? '', '..', 'specs', 'agentvault')
const used = corpus !== undefined && existsSync(folder)

type Vector = {
  readonly input: Readonly<Record<string, JsonObject>> & { readonly entries?: readonly JsonObject[] }
  readonly expected: Readonly<Record<string, unknown>>
}

const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
const vector = (name: string): Vector => read('test-vectors', `${name}.json`) as Vector
const key = () => parseReceiptKey(readFileSync(join(folder, 'test-vectors/keys/vault.pub'), 'utf8'))
const verdict = (receipt: unknown) =>
  verifyReceiptFile({ bytes: utf8(JSON.stringify(receipt, null, 2)), key: key() })
const outcome = (receipt: unknown) => {
  const { exit_code, checks } = verdict(receipt)
  return { exit_code, failed: checks.filter(({ result }) => result === 'failed').map(({ name }) => name) }
}

const HOLDS = { exit_code: 0, failed: [] }
const UNSIGNED = { exit_code: 4, failed: ['agentvault_signature'] }

it(`AgentVault's vectors are ${used ? 'used' : 'not used: PARLEY_CORPUS names no folder beside them, our own stand in'}`, () => {
  expect(used).toBe(corpus !== undefined && existsSync(folder))
})

const receipts = (): readonly (readonly [string, unknown, object])[] => {
  const first = vector('receipt-verification-v1')
  const second = vector('receipt_v2_positive_01')
  const negative = vector('receipt_v2_negative_01')
  return [
    [
      'receipt-verification-v1',
      { ...first.input['unsigned_receipt'], signature: first.expected['signature_hex'] },
      HOLDS,
    ],
    [
      'receipt_v2_positive_01',
      { ...second.input['unsigned_receipt'], signature: second.expected['signature'] },
      HOLDS,
    ],
    ['receipt_v2_vector_01', vector('receipt_v2_vector_01').input['signed_receipt'], HOLDS],
    ['verification_tier1_positive_01', vector('verification_tier1_positive_01').input['receipt'], HOLDS],
    ['verification_tier1_negative_01', vector('verification_tier1_negative_01').input['receipt'], UNSIGNED],
    [
      'receipt_v2_negative_01',
      { ...negative.input['unsigned_receipt'], signature: negative.input['signature_hex'] },
      UNSIGNED,
    ],
    [
      'sample-failure-receipt, whose hashes are no hashes',
      read('hash-vectors/fixtures-receipt-v2/sample-failure-receipt.json'),
      { exit_code: 5, failed: ['agentvault_form'] },
    ],
  ]
}

if (used) {
  describe("AgentVault's receipts verify or fail as their index says", () => {
    it.each(receipts())('%s', (_, receipt, expected) => {
      expect(outcome(receipt)).toEqual(expected)
    })
  })

  describe("AgentVault's hashes are ours", () => {
    it('canonical JSON, and what is not canonical', () => {
      const positive = vector('canonicalization_positive_01')
      expect(canonicalize(positive.input['json_object'] ?? {})).toBe(positive.expected['canonical_json'])
      expect(hash(positive.input['json_object'] ?? {})).toBe(positive.expected['sha256_hex'])
      const negative = vector('canonicalization_negative_01')
      expect(hash(negative.input['json_object'] ?? {})).toBe(negative.expected['sha256_canonical'])
    })

    it('the ledger: entries, head, deltas, status', () => {
      const { input, expected } = vector('entropy-status-v1')
      const { entries = [] } = input
      const { query: _, ...status } = expected['status'] as JsonObject
      expect(entries.map(agentVaultEntryHash)).toEqual(expected['entry_hashes'])
      expect(agentVaultLedgerHead(entries)).toBe(expected['ledger_head_hash'])
      expect(agentVaultDelta('counterparty', entries.slice(1, 2))).toBe(
        status['delta_commitment_counterparty'],
      )
      expect(agentVaultDelta('contract', entries.slice(1, 2))).toBe(status['delta_commitment_contract'])
      expect(agentVaultStatusHash(status)).toBe(expected['entropy_status_commitment'])
    })

    it('the transcripts of the TEE lane', () => {
      const goldens = read('derived/transcript-goldens.json') as Readonly<Record<string, JsonObject>>
      const members = {
        contract_hash: 'aaaa',
        prompt_template_hash: 'bbbb',
        initiator_submission_hash: 'cccc',
        responder_submission_hash: 'dddd',
        output_hash: 'eeee',
        receipt_signing_pubkey_hex: 'ffff',
      }
      const under = (model_identity_asserted: string | null) =>
        toHex(teeTranscriptHash({ ...members, model_identity_asserted }))
      expect(under(null)).toBe(goldens['v1']?.['sha512_hex'])
      expect(under('anthropic/test-model')).toBe(goldens['v2']?.['sha512_hex'])
    })

    it('programs, profiles, policies and schemas, one program under a stale name among them', () => {
      const names = (path: string) =>
        readdirSync(join(folder, path)).filter((each) => /^[0-9a-f]{64}\.json$/.test(each))
      const stale = names('hash-vectors/prompt_programs').filter(
        (name) => `${hash(read('hash-vectors/prompt_programs', name) as JsonObject)}.json` !== name,
      )
      expect(stale).toEqual(['96d0d84af49ddbf168d9f63ffff8da3bedae4931271e186c6f3fc638b8d82898.json'])
      for (const [path, lock] of [
        ['hash-vectors/prompt_programs', 'model_profiles.lock'],
        ['hash-vectors/relay_policies', 'relay_policies.lock'],
      ] as const)
        for (const [id, digest] of Object.entries(read(path, lock) as Readonly<Record<string, string>>))
          expect(hash(read(path, `${id}.json`) as JsonObject)).toBe(digest)
    })

    it('contracts of the shape that they accept, and none that they refuse', () => {
      const positive = vector('contract_positive_01').input['contract'] ?? {}
      expect(parseContract(positive)).toEqual(positive)
      const negative = vector('contract_negative_01').input['contract'] ?? {}
      expect(() => parseContract(negative)).toThrow(ProtocolError)
    })

    it('contracts, with and without the hash that their builder adds', () => {
      const { contracts } = read('derived/bundled-contracts-alice-bob.json') as {
        readonly contracts: readonly { readonly contract: JsonObject; readonly contract_hash: string }[]
      }
      expect(contracts.length).toBeGreaterThan(0)
      for (const { contract, contract_hash } of contracts) {
        expect(agentVaultContractHash(contract)).toBe(contract_hash)
        expect(agentVaultContractHash({ ...contract, contract_hash })).toBe(contract_hash)
      }
    })
  })
}
