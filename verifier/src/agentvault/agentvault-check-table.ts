// The checks of SPEC §20 on a receipt of another system. Nothing in them rests on hardware of ours.
export const AGENTVAULT_CHECKS = {
  agentvault_form: {
    trusted: 'nobody',
    failsAs: 5,
    says: 'strict JSON, a well-formed AgentVault receipt 1.0.0 or 2.1.0',
    against: 'SPEC 20',
  },
  agentvault_signature: {
    trusted: 'relay',
    failsAs: 4,
    says: 'the pinned key signed the receipt, with the prefix of its form',
    against: 'your pinned key',
  },
  agentvault_key: {
    trusted: 'relay',
    failsAs: 4,
    says: 'the receipt key that the receipt names is the pinned one',
    against: 'your pinned key',
  },
  agentvault_operator: {
    trusted: 'relay',
    failsAs: 4,
    says: "the operator's key that the receipt names is the pinned one",
    against: 'your pinned key',
  },
  agentvault_level: {
    trusted: 'nobody',
    failsAs: 4,
    says: 'the receipt claims no more than it carries something for',
    against: 'the receipt',
  },
  agentvault_contract: {
    trusted: 'nobody',
    failsAs: 4,
    says: 'your contract is the one that the receipt names',
    against: "the receipt's hash",
  },
  agentvault_schema: {
    trusted: 'nobody',
    failsAs: 4,
    says: 'your output schema is the one that the receipt names',
    against: "the receipt's hash",
  },
  agentvault_program: {
    trusted: 'nobody',
    failsAs: 4,
    says: 'your prompt program is the one that the receipt names',
    against: "the receipt's hash",
  },
  agentvault_policy: {
    trusted: 'nobody',
    failsAs: 4,
    says: 'your enforcement policy is the one that the receipt names',
    against: "the receipt's hash",
  },
  agentvault_profile: {
    trusted: 'nobody',
    failsAs: 4,
    says: 'your model profile is the one that the receipt names',
    against: "the receipt's hash",
  },
  agentvault_output: {
    trusted: 'relay',
    failsAs: 4,
    says: 'the output is the one that the receipt commits to',
    against: 'the receipt',
  },
  agentvault_config: {
    trusted: 'relay',
    failsAs: 4,
    says: 'the effective configuration is the one that stands in the receipt',
    against: "the receipt's hash",
  },
  agentvault_inputs: {
    trusted: 'participants',
    failsAs: 4,
    says: 'the inputs are those that the receipt commits to',
    against: "the receipt's hashes",
  },
  agentvault_claims: {
    trusted: 'relay',
    failsAs: 4,
    says: 'model, capacity, budget, latency, entropy and times are true',
    against: 'nothing: they are words of the operator',
  },
  agentvault_transcript: {
    trusted: 'relay',
    failsAs: 4,
    says: 'the transcript of the TEE lane is of this receipt and of the pinned key',
    against: 'the transcript, computed here',
  },
  agentvault_report: {
    trusted: 'nobody',
    failsAs: 4,
    says: 'the report is the one that the receipt tells of, made over that transcript',
    against: 'the bytes of the report',
  },
} as const

type Own = keyof typeof AGENTVAULT_CHECKS

/** The checks of an AgentVault receipt, in the order in which a verdict shows them. */
export const AGENTVAULT_PROCEDURE = [
  ...Object.keys(AGENTVAULT_CHECKS).filter((name): name is Own => name in AGENTVAULT_CHECKS),
  'hardware_genuine',
  'hardware_expected',
  'root_accepted',
] as const
