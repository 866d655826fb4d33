import { fromBase64 } from '../base64.js'
import { malformed } from './der.js'

const MAX_PEM_BYTES = 65536
const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'

const decode = (text: string): Uint8Array => {
  const der = fromBase64(text)
  if (der === null) throw malformed('PEM does not hold canonical base64')
  return der
}

const readBlock = (block: string): Uint8Array => {
  const [body = '', after, ...more] = block.split(END)
  if (after === undefined || more.length > 0 || after.trim() !== '')
    throw malformed('a PEM block has no proper end')
  return decode(body.replace(/\s+/g, ''))
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
