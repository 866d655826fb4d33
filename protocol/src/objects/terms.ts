import * as v from 'valibot'
import { digest } from './formats.js'

// Members that offer and receipt share: under which terms a session is evaluated.
export const terms = {
  contract_hash: digest,
  output_schema_hash: digest,
  evaluator: v.picklist(['cel', 'llm', 'local']),
  program_hash: v.nullable(digest),
  prompt_program_hash: v.nullable(digest),
  model_profile_hash: v.nullable(digest),
  guardian_policy_hash: digest,
  provider_account: v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(256))),
  egress_channel: v.picklist(['none', 'bounded', 'unbounded']),
}
