import { sha256 } from '#crypto'
import { fromBase64, toBase64 } from './base64.js'
import { concatBytes, utf8 } from './bytes.js'
import { type Ed25519PublicKey, type SigningKey, verifyEd25519 } from './ed25519.js'
import { ProtocolError } from './errors.js'

/** The head of a log: how many entries, and the root over them. */
export type CheckpointHead = {
  readonly size: number
  /** RFC 6962 root, 32 bytes. */
  readonly root: Uint8Array
}

const ED25519 = Uint8Array.of(0x01)
const KEY_ID_BYTES = 4
const ORIGIN = /^[!-*,-~]{1,200}$/
const SIZE = /^(?:0|[1-9][0-9]{0,15})$/
const CHECKPOINT = /^([^\n]+)\n([^\n]+)\n([^\n]+)\n\n— ([^\n ]+) ([^\n ]+)\n$/

/**
 * A checkpoint of a log as a signed note whose key has the origin as its name.
 * @param head `origin`: visible ASCII without `+`
 * @returns three lines, an empty one, and the signature line
 * @throws ProtocolError `note_malformed` on an origin, size or root outside the grammar.
 * @see C2SP signed-note, tlog-checkpoint
 */
export const signCheckpoint = (
  head: CheckpointHead & { readonly origin: string },
  key: SigningKey,
): string => {
  const body = checkpointBody(head)
  const signature = concatBytes(keyId(head.origin, key.publicKey), key.sign(utf8(body)))
  return `${body}\n— ${head.origin} ${toBase64(signature)}\n`
}

/**
 * Opens a checkpoint that carries exactly one signature, by the expected key under the expected origin.
 * @throws ProtocolError `note_malformed` if the text is not byte for byte what {@link signCheckpoint} makes.
 * @throws ProtocolError `signature_invalid` if the signature, the key or the origin is another.
 * @see C2SP signed-note, tlog-checkpoint
 */
export const openCheckpoint = (
  text: string,
  expected: { readonly origin: string; readonly publicKey: Ed25519PublicKey },
): CheckpointHead => {
  const [, origin = '', sizeText = '', rootText = '', name = '', signature = ''] = CHECKPOINT.exec(text) ?? []
  const head = { origin, size: parseSize(sizeText), root: parseBase64(rootText, 32) }
  const body = checkpointBody(head)
  const signed = parseBase64(signature, KEY_ID_BYTES + 64)
  if (`${body}\n— ${name} ${signature}\n` !== text) throw malformed('text is not a checkpoint')
  if (origin !== expected.origin || name !== expected.origin) throw invalid('the origin is another')
  // The key id is part of what must match, though the signature alone decides: no byte may be free.
  if (toBase64(keyId(origin, expected.publicKey)) !== toBase64(signed.subarray(0, KEY_ID_BYTES)))
    throw invalid('the key id is another')
  if (!verifyEd25519(expected.publicKey, utf8(body), signed.subarray(KEY_ID_BYTES)))
    throw invalid('the signature does not hold')
  return { size: head.size, root: head.root }
}

const checkpointBody = ({ origin, size, root }: CheckpointHead & { readonly origin: string }): string => {
  if (!ORIGIN.test(origin)) throw malformed('origin is outside the grammar')
  if (!Number.isSafeInteger(size) || size < 0) throw malformed('size is not a non-negative integer')
  if (root.length !== 32) throw malformed('root is not 32 bytes')
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** The first 4 bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ key). */
const keyId = (name: string, publicKey: Ed25519PublicKey): Uint8Array =>
  sha256(concatBytes(utf8(`${name}\n`), ED25519, publicKey)).subarray(0, KEY_ID_BYTES)

const parseSize = (text: string): number => {
  if (!SIZE.test(text)) throw malformed('size is not a decimal number')
  return Number(text)
}

const parseBase64 = (text: string, size: number): Uint8Array => {
  try {
    const bytes = fromBase64(text)
    if (bytes.length === size) return bytes
  } catch {
    // The same refusal as for another size.
  }
  throw malformed(`a field is not ${size} bytes of base64`)
}

const malformed = (message: string): ProtocolError => new ProtocolError('note_malformed', message)

const invalid = (message: string): ProtocolError => new ProtocolError('signature_invalid', message)
