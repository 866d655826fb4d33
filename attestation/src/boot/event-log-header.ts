import { isZero } from '../equal-bytes.js'
import { EVENT } from './event-types.js'
import { FieldReader, LOG_FORM } from './field-reader.js'
import { startsWith } from './starts-with.js'

/** Sizes of digests by algorithm, as the header of a log declares them. */
export type DigestSizes = ReadonlyMap<number, number>

/** TPM_ALG_SHA256 */
export const SHA256 = 0x000b

const SHA256_BYTES = 32
const SHA1_BYTES = 20
const MAX_ALGORITHMS = 8
const MAX_DIGEST_BYTES = 64
const SIGNATURE = 'Spec ID Event03\0'
// platformClass, specVersionMinor, specVersionMajor, specErrata, uintnSize
const VERSION_BYTES = 8

const readSizes = (header: FieldReader): DigestSizes => {
  const count = header.uint32()
  if (count < 1 || count > MAX_ALGORITHMS) throw header.malformed('no, or too many, algorithms')
  const sizes = new Map<number, number>()
  for (let at = 0; at < count; at++) {
    const algorithm = header.uint16()
    const size = header.uint16()
    if (sizes.has(algorithm) || size > MAX_DIGEST_BYTES)
      throw header.malformed('an algorithm twice, or too long')
    sizes.set(algorithm, size)
  }
  if (sizes.get(SHA256) !== SHA256_BYTES) throw header.malformed('there is no SHA-256 in the log')
  return sizes
}

/**
 * TCG_PCR_EVENT with a TCG_EfiSpecIdEvent: the one event in the old format, which says what the others are like.
 * @throws AttestationError event_log_malformed
 */
export const readLogHeader = (log: FieldReader): DigestSizes => {
  const pcr = log.uint32()
  const type = log.uint32()
  if (pcr !== 0 || type !== EVENT.noAction || !isZero(log.bytes(SHA1_BYTES)))
    throw log.malformed('the log does not start with its header')
  const header = new FieldReader(log.bytes(log.uint32()), LOG_FORM)
  if (!startsWith(header.bytes(SIGNATURE.length), SIGNATURE)) throw header.malformed('not a crypto-agile log')
  header.bytes(VERSION_BYTES)
  const sizes = readSizes(header)
  header.bytes(header.uint8())
  header.finish('the header of the log')
  return sizes
}
