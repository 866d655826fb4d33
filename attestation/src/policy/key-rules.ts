import { isZero } from '../equal-bytes.js'
import { fromBase64 } from '../base64.js'
import { demand } from '../errors.js'
import { verifyIdBlock } from '../id-block/verify-id-block.js'
import { meetsKey } from './key-expectation.js'
import type { SlowRule } from './rule.js'

/** An expected key signed the ID block. */
export const idKeyRule: SlowRule = async ({ signed: { report }, policy: { id_key_digest: expected } }) => {
  if ('any' in expected) return 'any'
  const holds = await meetsKey(expected, report.id_key_digest)
  demand(holds, 'id_key_digest_mismatch', 'the ID key is another one')
  return 'passed'
}

/** An expected key certified the ID key. The digest means something only where AUTHOR_KEY_EN is set. */
export const authorKeyRule: SlowRule = async ({ signed: { report }, policy }) => {
  const { author_key_digest: expected } = policy
  if ('any' in expected) return 'any'
  const counts = report.signer_info.author_key_en || isZero(report.author_key_digest)
  const holds = counts && (await meetsKey(expected, report.author_key_digest))
  demand(holds, 'author_key_digest_mismatch', 'the author key is another one, or counts for nothing')
  return 'passed'
}

const NOTHING = new Uint8Array()

/** The guest was launched with the ID block that the policy holds. */
export const idBlockRule: SlowRule = async ({ signed, policy: { id_block: expected } }) => {
  if ('any' in expected) return 'any'
  const block = fromBase64(expected.block) ?? NOTHING
  await verifyIdBlock({ block, auth: fromBase64(expected.auth) ?? NOTHING }, signed.report)
  return 'passed'
}
