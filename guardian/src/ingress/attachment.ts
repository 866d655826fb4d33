import { sha256, toBase64, toHex } from '@parley/protocol'
import * as v from 'valibot'
import type { Classification } from './classification-label.js'
import { hex32, text } from './member-formats.js'

// Base64 of the most octets that an envelope may carry in all.
const MOST_CONTENT = 1_398_104

/** An attachment's members. Names, sizes, labels and digests are judged later, by {@link checkAttachments}. */
export const attachment = v.strictObject({
  name: v.string(),
  mime: v.pipe(text(1, 127), v.regex(/^[\x20-\x7e]+$/)),
  sha256: hex32,
  content_b64: text(0, MOST_CONTENT),
  classification: v.exactOptional(v.string()),
})

/** A file inside an envelope, as it is written. */
export type Attachment = v.InferOutput<typeof attachment>

/** A file to send. */
export type FileToAttach = {
  readonly name: string
  readonly mime: string
  readonly bytes: Uint8Array
  readonly classification?: Classification
}

/** Writes a file as an attachment. */
export const attach = ({ name, mime, bytes, classification }: FileToAttach): Attachment => ({
  name,
  mime,
  sha256: toHex(sha256(bytes)),
  content_b64: toBase64(bytes),
  ...(classification === undefined ? {} : { classification }),
})
