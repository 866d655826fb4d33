import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import {
  attach,
  type Attachment,
  checkAttachments,
  type Classification,
  isAttachmentName,
  MOST_ATTACHMENT_BYTES,
  MOST_ATTACHMENTS,
} from '@parley/guardian'
import { isJsonArray, type JsonObject } from '@parley/protocol'

const MIME = 'application/octet-stream'

/**
 * The files that a task's schema asks for by name in `attachments_out_allowed`, taken from `out`: plain files alone. Where
 * they are more or larger than an envelope may carry, none goes. They carry the strictest label of what came in.
 */
export const harvest = async (
  out: string,
  schema: JsonObject,
  classification: Classification,
): Promise<Attachment[]> => {
  const found: Attachment[] = []
  let left = MOST_ATTACHMENT_BYTES
  for (const name of allowedNames(schema)) {
    const bytes = await readPlain(join(out, name), left)
    if (bytes === 'too_large') return []
    if (bytes === 'absent') continue
    left -= bytes.length
    found.push(attach({ name, mime: MIME, bytes, classification }))
  }
  // The same rules as for what comes in: an answer that its receiver must refuse is not sent.
  return checkAttachments(found).ok ? found : []
}

/** The names of files that a schema lets out; none where it names none. */
export const allowedNames = (schema: JsonObject): readonly string[] => {
  const named = Object.hasOwn(schema, 'attachments_out_allowed') ? schema['attachments_out_allowed'] : []
  if (named === undefined || !isJsonArray(named)) return []
  const names = named.filter((name): name is string => typeof name === 'string' && isAttachmentName(name))
  return [...new Set(names)].slice(0, MOST_ATTACHMENTS)
}

const readPlain = async (path: string, most: number): Promise<Uint8Array | 'absent' | 'too_large'> => {
  // A link out of the folder is not followed, and a pipe does not hold the task up.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => null)
  if (file === null) return 'absent'
  try {
    const { size, nlink } = await file.stat()
    // A second name could be that of a file elsewhere.
    if (!(await file.stat()).isFile() || nlink !== 1) return 'absent'
    if (size > most) return 'too_large'
    const buffer = Buffer.alloc(size)
    const { bytesRead } = await file.read(buffer, 0, size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
