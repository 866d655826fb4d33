import { fromBase64, toBase64 } from './base64.js'
import { utf8 } from './bytes.js'
import { isContentDigest } from './content-digest.js'
import { type Ed25519PublicKey, type SigningKey, verifyEd25519 } from './ed25519.js'
import { ProtocolError } from './errors.js'
import { fieldValues, type HttpRequest } from './http-message.js'
import { componentList, signatureBase } from './signature-base.js'
import { encodeParameters, parseParameters, SIGNATURE_LABEL } from './signature-input.js'

/** What a signer says. */
export type RequestSigning = {
  readonly key: SigningKey
  /** Visible ASCII without quote and backslash, for example a DID. */
  readonly keyId: string
  /** Seconds since 1970, an integer. */
  readonly created: number
  /** The application that the signature is meant for. */
  readonly tag: string
  /** Derived components and fields to cover, in this order. */
  readonly components: readonly string[]
}

/** What a verifier insists on. */
export type RequestExpectation = {
  readonly tag: string
  /** Exactly these must be covered, in this order. */
  readonly components: readonly string[]
  /** The key of a key id; undefined for an unknown one. */
  readonly lookup: (keyId: string) => Ed25519PublicKey | undefined
}

/**
 * The request with `signature-input` and `signature` added. Covered fields must stand in it already.
 * @throws ProtocolError `http_signature_malformed` if a covered field is missing or stands twice, or the
 * request is signed already.
 * @see RFC 9421 §3.1
 */
export const signRequest = (request: HttpRequest, signing: RequestSigning): HttpRequest => {
  if (request.headers.some(([name]) => name === 'signature' || name === 'signature-input'))
    throw malformed('the request is signed already')
  const parameters = componentList(signing.components) + encodeParameters(signing)
  const signature = signing.key.sign(utf8(signatureBase(request, signing.components, parameters)))
  const headers = [
    ...request.headers,
    ['signature-input', `${SIGNATURE_LABEL}=${parameters}`],
    ['signature', `${SIGNATURE_LABEL}=:${toBase64(signature)}:`],
  ] as const
  return { ...request, headers }
}

/**
 * Verifies the one signature of a request: these components in this order, this tag, Ed25519; and where
 * `content-digest` is covered, that it is the digest of the content.
 * @returns who signed, and when by the signer's own clock; the caller judges both
 * @throws ProtocolError `http_signature_malformed` if the fields are not of this form.
 * @throws ProtocolError `http_signature_invalid` on an unknown key, a signature or a digest that fails.
 * @see RFC 9421 §3.2
 */
export const verifyRequest = (
  request: HttpRequest,
  { tag, components, lookup }: RequestExpectation,
): { keyId: string; created: number } => {
  const parameters = dictionaryMember(request, 'signature-input')
  const list = componentList(components)
  if (!parameters.startsWith(list)) throw malformed('other components are covered')
  const { keyId, created, tag: foundTag } = parseParameters(parameters.slice(list.length))
  if (foundTag !== tag) throw malformed('the tag is another')
  const signature = parseSignature(dictionaryMember(request, 'signature'))
  const base = utf8(signatureBase(request, components, parameters))
  requireContent(request, components)
  const publicKey = lookup(keyId)
  if (publicKey === undefined) throw invalid('the key is unknown')
  if (!verifyEd25519(publicKey, base, signature)) throw invalid('the signature does not hold')
  return { keyId, created }
}

/** The value of the one member, under our label, of a field that stands once. */
const dictionaryMember = ({ headers }: HttpRequest, field: string): string => {
  const [value, second] = fieldValues(headers, field)
  const prefix = `${SIGNATURE_LABEL}=`
  if (value === undefined || second !== undefined) throw malformed(`${field} must stand once`)
  if (!value.startsWith(prefix)) throw malformed(`${field} has another label`)
  return value.slice(prefix.length)
}

const parseSignature = (item: string): Uint8Array => {
  const text = /^:([^:]{1,100}):$/.exec(item)?.[1]
  try {
    if (text !== undefined) return fromBase64(text)
  } catch {
    // The same refusal as for another form.
  }
  throw malformed('signature is not one byte sequence')
}

/** A signature over a digest that nobody compares would leave the content open. */
const requireContent = (request: HttpRequest, components: readonly string[]): void => {
  if (!components.includes('content-digest')) return
  const [value = ''] = fieldValues(request.headers, 'content-digest')
  if (!isContentDigest(value, request.content)) throw invalid('content-digest is not that of the content')
}

const malformed = (message: string): ProtocolError => new ProtocolError('http_signature_malformed', message)

const invalid = (message: string): ProtocolError => new ProtocolError('http_signature_invalid', message)
