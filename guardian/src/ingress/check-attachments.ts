import { fromBase64, sha256, toHex } from '@parley/protocol'
import type { Attachment } from './attachment.js'
import { type Classification, classificationOf, UNLABELLED } from './classification-label.js'
import { type Checked, no, yes } from './ingress-line.js'

/** An envelope carries at most this many files. */
export const MOST_ATTACHMENTS = 16
/** Octets of all files together, decoded. */
export const MOST_ATTACHMENT_BYTES = 1_048_576

/** Why attachments are refused. */
export type AttachmentCode =
  | 'attachments_too_many'
  | 'attachments_total_too_large'
  | 'attachment_name_invalid'
  | 'attachment_name_repeated'
  | 'attachment_content_malformed'
  | 'attachment_digest_mismatch'
  | 'attachment_classification_unknown'

/** A file whose name may be one, whose octets are those of its digest, whose label is known. */
export type OpenedAttachment = {
  readonly name: string
  readonly mime: string
  readonly classification: Classification
  readonly sha256: string
  readonly bytes: Uint8Array
}

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
// What Windows opens as a device, whatever the ending.
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i

/** True for a name that is one file in the folder that it is written to, on every system. */
export const isAttachmentName = (name: string): boolean =>
  NAME.test(name) &&
  // JavaScript's $ is the very end, unlike Python's: no line's end slips through.
  !name.includes('..') &&
  !name.endsWith('.') &&
  !DEVICE.test(name)

/**
 * Decodes and checks attachments. Their size is reckoned from their text, before anything is decoded.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const checkAttachments = (
  attachments: readonly Attachment[],
): Checked<readonly OpenedAttachment[], AttachmentCode> => {
  if (attachments.length > MOST_ATTACHMENTS) return no('attachments_too_many')
  const size = attachments.reduce((sum, { content_b64 }) => sum + decodedSize(content_b64), 0)
  if (size > MOST_ATTACHMENT_BYTES) return no('attachments_total_too_large')
  const names = new Set(attachments.map(({ name }) => name.toLowerCase()))
  if (names.size !== attachments.length) return no('attachment_name_repeated')
  const opened: OpenedAttachment[] = []
  for (const each of attachments) {
    const one = open(each)
    if (!one.ok) return one
    opened.push(one.value)
  }
  return yes(opened)
}

const decodedSize = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)

const open = (attachment: Attachment): Checked<OpenedAttachment, AttachmentCode> => {
  const { name, mime, sha256: digest, content_b64, classification: label = UNLABELLED } = attachment
  if (!isAttachmentName(name)) return no('attachment_name_invalid')
  const classification = classificationOf(label)
  if (classification === undefined) return no('attachment_classification_unknown')
  const bytes = decode(content_b64)
  if (bytes === undefined) return no('attachment_content_malformed')
  if (toHex(sha256(bytes)) !== digest) return no('attachment_digest_mismatch')
  return yes({ name, mime, classification, sha256: digest, bytes })
}

const decode = (base64: string): Uint8Array | undefined => {
  try {
    return fromBase64(base64)
  } catch {
    return undefined
  }
}
