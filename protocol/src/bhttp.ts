import { ByteReader } from './byte-reader.js'
import { concatBytes, utf8 } from './bytes.js'
import { ProtocolError } from './errors.js'
import { requestDefect, responseDefect } from './http-grammar.js'
import type { HeaderField, HttpRequest, HttpResponse } from './http-message.js'
import { encodeVarint, readVarint } from './varint.js'

const KNOWN_LENGTH_REQUEST = 0
const KNOWN_LENGTH_RESPONSE = 1

/** A length in bytes, or a function from the length without padding to the length to pad to. */
export type PadTo = number | ((length: number) => number)

/**
 * A known-length request, followed by zeros up to `padTo`.
 * @throws ProtocolError `bhttp_malformed` on what {@link parseRequest} would refuse.
 * @throws ProtocolError `too_large` if it is longer than `padTo` before padding.
 * @see RFC 9292 §3.2, §3.8
 */
export const encodeRequest = (request: HttpRequest, padTo?: PadTo): Uint8Array => {
  requireSound(requestDefect(request))
  const { method, scheme, authority, path, headers, content } = request
  const control = [method, scheme, authority, path].map((part) => prefixed(utf8(part)))
  return pad([encodeVarint(KNOWN_LENGTH_REQUEST), ...control, ...sections(headers, content)], padTo)
}

/**
 * A known-length response, followed by zeros up to `padTo`.
 * @throws ProtocolError `bhttp_malformed` on what {@link parseResponse} would refuse.
 * @throws ProtocolError `too_large` if it is longer than `padTo` before padding.
 * @see RFC 9292 §3.2, §3.8
 */
export const encodeResponse = (response: HttpResponse, padTo?: PadTo): Uint8Array => {
  requireSound(responseDefect(response))
  const { status, headers, content } = response
  return pad(
    [encodeVarint(KNOWN_LENGTH_RESPONSE), encodeVarint(status), ...sections(headers, content)],
    padTo,
  )
}

/**
 * Parses a known-length request. The content is a view of the bytes.
 * @throws ProtocolError `bhttp_malformed` on another framing, trailers, padding that is not zero, upper-case
 * or pseudo names, fields of a connection, more than 128 fields, a target outside its grammar.
 * @see RFC 9292 §3
 */
export const parseRequest = (bytes: Uint8Array): HttpRequest => {
  const reader = new ByteReader(bytes, 'bhttp_malformed')
  if (readVarint(reader) !== KNOWN_LENGTH_REQUEST) throw malformed('framing is not a known-length request')
  const method = readText(reader)
  const scheme = readText(reader)
  const authority = readText(reader)
  const path = readText(reader)
  const request = { method, scheme, authority, path, ...readSections(reader) }
  requireSound(requestDefect(request))
  return request
}

/**
 * Parses a known-length response. The content is a view of the bytes.
 * @throws ProtocolError `bhttp_malformed` as {@link parseRequest}, and on an informational response.
 * @see RFC 9292 §3
 */
export const parseResponse = (bytes: Uint8Array): HttpResponse => {
  const reader = new ByteReader(bytes, 'bhttp_malformed')
  if (readVarint(reader) !== KNOWN_LENGTH_RESPONSE) throw malformed('framing is not a known-length response')
  const status = readVarint(reader)
  const response = { status, ...readSections(reader) }
  requireSound(responseDefect(response))
  return response
}

const prefixed = (bytes: Uint8Array): Uint8Array => concatBytes(encodeVarint(bytes.length), bytes)

/** Field section and content; empty sections at the end are left out, as RFC 9292 §3.8 allows. */
const sections = (headers: readonly HeaderField[], content: Uint8Array): Uint8Array[] => {
  if (headers.length === 0 && content.length === 0) return []
  const fields = headers.flatMap(([name, value]) => [prefixed(utf8(name)), prefixed(utf8(value))])
  const section = prefixed(concatBytes(...fields))
  return content.length === 0 ? [section] : [section, encodeVarint(content.length), content]
}

const pad = (parts: readonly Uint8Array[], padTo: PadTo | undefined): Uint8Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const padded = typeof padTo === 'function' ? padTo(length) : (padTo ?? length)
  if (padded < length) throw new ProtocolError('too_large', `${length} bytes do not fit into ${padded}`)
  return concatBytes(...parts, new Uint8Array(padded - length))
}

/** Headers and content; sections that are cut off at the end are empty (RFC 9292 §3.8). */
const readSections = (reader: ByteReader): { headers: HeaderField[]; content: Uint8Array } => {
  const headers = readFields(readSection(reader))
  const content = readSection(reader)
  if (readSection(reader).length > 0) throw malformed('there are trailers')
  // Anything else would carry bytes that nobody reads.
  if (!isZero(reader.rest())) throw malformed('padding is not zero')
  return { headers, content }
}

/** Padding is most of a message: it is read four octets at a time, but for those around the first and last whole word. */
const isZero = (bytes: Uint8Array): boolean => {
  const before = -bytes.byteOffset & 3
  if (bytes.length < before) return areZero(bytes)
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + before, (bytes.length - before) >> 2)
  const after = before + words.byteLength
  return areZero(bytes.subarray(0, before)) && areZero(words) && areZero(bytes.subarray(after))
}

const areZero = (numbers: Uint8Array | Uint32Array): boolean => {
  let seen = 0
  // By index: an iterator or a callback takes ten times as long.
  for (let at = numbers.length - 1; at >= 0; at -= 1) seen |= numbers[at] ?? 0
  return seen === 0
}

const readSection = (reader: ByteReader): Uint8Array =>
  reader.done ? new Uint8Array(0) : reader.take(readVarint(reader))

const readFields = (section: Uint8Array): HeaderField[] => {
  const reader = new ByteReader(section, 'bhttp_malformed')
  const headers: HeaderField[] = []
  while (!reader.done) headers.push([readText(reader), readText(reader)])
  return headers
}

/** Octet by octet: what is not ASCII fails the grammar afterwards. */
const readText = (reader: ByteReader): string => {
  let text = ''
  for (const octet of reader.take(readVarint(reader))) text += String.fromCharCode(octet)
  return text
}

const requireSound = (defect: string | undefined): void => {
  if (defect !== undefined) throw malformed(`${defect} is outside the grammar`)
}

const malformed = (message: string): ProtocolError => new ProtocolError('bhttp_malformed', message)
