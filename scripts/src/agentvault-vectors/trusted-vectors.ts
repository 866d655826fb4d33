import {
  canonicalize,
  type JsonValue,
  NO_OUTPUT_HASH,
  signAgentVaultReceiptV1,
  signAgentVaultReceiptV2,
  toHex,
  type UnsignedAgentVaultReceiptV2,
} from '@parley/protocol'
import { FIRST, HELD, KEYS, SECOND } from './session.js'
import { teeReceipt, TRANSCRIPT, unsignedReport } from './tee-session.js'
import type { AgentVaultVector } from './vector.js'

type Told = Pick<AgentVaultVector, 'name' | 'why' | 'held'> & { readonly output: JsonValue }

const trusted = (receipt: string, { output, ...told }: Told): AgentVaultVector => ({
  ...told,
  receipt,
  key: toHex(KEYS.relay.publicKey),
  expect: { exit_code: 0, failed: {}, output },
})

const first = canonicalize(signAgentVaultReceiptV1(FIRST, KEYS.relay))
const second = (unsigned: UnsignedAgentVaultReceiptV2): string =>
  canonicalize(signAgentVaultReceiptV2(unsigned, KEYS.relay))

const { output: _, ...closed } = SECOND.commitments
const { preflight_bundle, effective_config_hash: __, ...unconfigured } = SECOND.commitments
const { model_profile_hash_asserted: ___, ...claims } = SECOND.claims

const rejected: UnsignedAgentVaultReceiptV2 = {
  ...SECOND,
  commitments: { ...closed, output_hash: NO_OUTPUT_HASH },
  claims: { ...SECOND.claims, status: 'rejected', signal_class: 'schema_validation_failed' },
}

const withoutProfile: UnsignedAgentVaultReceiptV2 = {
  ...SECOND,
  commitments: {
    ...unconfigured,
    ...(preflight_bundle === undefined
      ? {}
      : { preflight_bundle: { ...preflight_bundle, model_profile_hash: 'none' } }),
  },
  claims,
}

/** Receipts that hold. */
export const trustedVectors = (): readonly AgentVaultVector[] => [
  trusted(first, {
    name: 'first-form',
    why: 'A 1.0.0 receipt as the relay writes it: "n/a" for llama.cpp, a window of 0 seconds, members that the published schema does not know.',
    held: {},
    output: HELD.output,
  }),
  trusted(first, {
    name: 'first-form-all-held',
    why: 'The same with all that it names in the hands of its reader.',
    held: HELD,
    output: HELD.output,
  }),
  trusted(second(SECOND), {
    name: 'second-form-all-held',
    why: 'A 2.1.0 receipt with all that it names in the hands of its reader.',
    held: HELD,
    output: HELD.output,
  }),
  trusted(JSON.stringify(JSON.parse(second(SECOND)), null, 2), {
    name: 'second-form-spaced',
    why: 'White space is free: they are not kept as canonical bytes.',
    held: {},
    output: HELD.output,
  }),
  trusted(second(SECOND), {
    name: 'contract-with-its-own-hash',
    why: 'Their contract builder adds a member contract_hash after it has hashed; it is left out of the hash.',
    held: { contract: { ...HELD.contract, contract_hash: SECOND.commitments.contract_hash } },
    output: HELD.output,
  }),
  trusted(second(rejected), {
    name: 'second-form-rejected',
    why: 'A session that gave no output.',
    held: { contract: HELD.contract },
    output: null,
  }),
  trusted(second(withoutProfile), {
    name: 'second-form-without-profile',
    why: 'A contract without a model profile: the bundle says "none", which the published schema refuses.',
    held: { policy: HELD.policy },
    output: HELD.output,
  }),
  trusted(second({ ...SECOND, commitments: { ...SECOND.commitments, output: { overlap: 'NO' } } }), {
    name: 'inline-output-not-committed',
    why: 'The signer put another output inside than it committed to. The signature holds, and no output is shown.',
    held: {},
    output: null,
  }),
  trusted(second(teeReceipt(unsignedReport(TRANSCRIPT))), {
    name: 'tee',
    why: 'A receipt of the TEE lane. Its report is over its transcript; whether a processor signed it, nobody asked.',
    held: {},
    output: HELD.output,
  }),
]
