import { malformed } from './der.js'

const MAX_PEM_BYTES = 65536
const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'

const decodeBase64 = (text: string): Uint8Array => {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw malformed('PEM does not hold base64')
  const binary = atob(text)
  // The last character can hold bits that decode to nothing: only one spelling counts.
  if (btoa(binary) !== text) throw malformed('PEM base64 is not canonical')
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

const readBlock = (block: string): Uint8Array => {
  const [body = '', after, ...more] = block.split(END)
  if (after === undefined || more.length > 0 || after.trim() !== '')
    throw malformed('a PEM block has no proper end')
  return decodeBase64(body.replace(/\s+/g, ''))
}

/**
 * The DER certificates of a PEM file (RFC 7468 §5.1), in the order of the file. Between the blocks only white space.
 * @throws AttestationError certificate_malformed
 */
export const readPem = (input: Uint8Array): Uint8Array[] => {
  if (input.length > MAX_PEM_BYTES) throw malformed(`PEM has over ${MAX_PEM_BYTES} bytes`)
  const [before, ...blocks] = new TextDecoder().decode(input).split(BEGIN)
  if (before?.trim() !== '' || blocks.length === 0) throw malformed('neither DER nor PEM')
  return blocks.map(readBlock)
}
