import { crypto } from '#crypto'
import { equalBytes, isZero } from '../equal-bytes.js'
import { AttestationError, demand } from '../errors.js'
import { parseReportSignature } from '../report/report-signature.js'
import type { Report } from '../report/report.js'
import { amdKeyDigest, decodeAmdKey } from './amd-key.js'
import { type IdAuth, type IdBlock, parseIdAuth, parseIdBlock } from './id-block.js'

const ECDSA_P384_WITH_SHA384 = 1

// The field is that of a report: r and s, little-endian, 72 bytes each.
const scalarsOf = (field: Uint8Array): Uint8Array => {
  try {
    return parseReportSignature(field)
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    throw new AttestationError('id_block_signature_invalid', error.message)
  }
}

const checkSignature = async (data: Uint8Array, field: Uint8Array, key: Uint8Array): Promise<void> => {
  const point = decodeAmdKey(key)
  const verify = point === null ? null : await crypto.p384Verifier(point)
  if (verify === null)
    throw new AttestationError('id_block_malformed', 'a key of the ID block is no P-384 key')
  demand(
    await verify(data, scalarsOf(field)),
    'id_block_signature_invalid',
    'a signature is not that of its key',
  )
}

const checkAuthor = async (auth: IdAuth, report: Report): Promise<void> => {
  if (!report.signer_info.author_key_en) return
  const known = auth.author_key_algo === ECDSA_P384_WITH_SHA384 && !isZero(auth.author_key)
  demand(known, 'id_block_malformed', 'the report names an author key, and the ID block has none')
  await checkSignature(auth.id_key, auth.key_signature, auth.author_key)
  const digest = await amdKeyDigest(auth.author_key)
  demand(equalBytes(digest, report.author_key_digest), 'id_block_mismatch', 'the author key is another one')
}

const checkFields = (block: IdBlock, report: Report): void => {
  const same = {
    MEASUREMENT: equalBytes(block.measurement, report.measurement),
    FAMILY_ID: equalBytes(block.family_id, report.family_id),
    IMAGE_ID: equalBytes(block.image_id, report.image_id),
    GUEST_SVN: block.guest_svn === report.guest_svn,
    POLICY: block.policy === report.policy.raw,
  }
  for (const [field, holds] of Object.entries(same))
    demand(holds, 'id_block_mismatch', `${field} of the ID block is not that of the report`)
}

/**
 * The guest was launched with this ID block: its key signed it, the report has that key's digest, and what the block
 * demands is what the report says. Where the report names an author key, that key certified the ID key.
 * @param files the ID block, 96 bytes, and the ID authentication information, 4096 bytes
 * @throws AttestationError id_block_malformed, id_block_signature_invalid, id_block_mismatch
 * @see AMD 56860, SNP_LAUNCH_FINISH
 */
export const verifyIdBlock = async (
  files: { readonly block: Uint8Array; readonly auth: Uint8Array },
  report: Report,
): Promise<void> => {
  const block = parseIdBlock(files.block)
  const auth = parseIdAuth(files.auth)
  await checkSignature(block.signed_bytes, auth.block_signature, auth.id_key)
  const digest = await amdKeyDigest(auth.id_key)
  demand(equalBytes(digest, report.id_key_digest), 'id_block_mismatch', 'the ID key is another one')
  await checkAuthor(auth, report)
  checkFields(block, report)
}
